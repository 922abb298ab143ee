const { closeDay, topRiders } = require("./rides");

const rides = [
  { rider: "ada", start: { at: 0 }, end: { at: 40 } },
  { rider: "bo", start: { at: 15 } },
];

const sums = closeDay(rides);
for (const [rider, cents] of Object.entries(sums)) {
  console.log(rider, (cents / 100).toFixed(2));
}
console.log("top:", topRiders(sums));
