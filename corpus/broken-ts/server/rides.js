/** Closes the rides of a day: what each rider has to pay, in cents. */
function closeDay(rides) {
  var sums = {};
  for (const ride of rides) {
    let cost = costOf(ride);
    sums[ride.rider] = (sums[ride.rider] || 0) + cost;
  }
  return sums;
}

function costOf(ride) {
  if (ride.kind == "repair") {
    return 0;
  }
  return minutesOf(ride) * 5;
}

function minutesOf(ride) {
  const minutes = ride.end.at - ride.start.at;
  return minutes;
}

/** The riders who pay most, the highest sum first. */
function topRiders(sums, count) {
  const limit = count || 3;
  return Object.entries(sums)
    .sort((a, b) => a[1] - b[1])
    .slice(0, count)
    .map(([rider]) => rider);
}

module.exports = { closeDay, topRiders };
