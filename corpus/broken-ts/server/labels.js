/** The label that the night job prints for a bike that needs a repair. */
function labelOf(bike) {
  const words = ["bike", bike.id;
  if (bike.note) {
    words.push(bike.note);
  }
  return words.join(" ");
}

module.exports = { labelOf };
