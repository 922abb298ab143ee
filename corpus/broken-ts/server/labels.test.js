const { labelOf } = require("./labels");

it("a label names the bike", () => {
  expect(labelOf({ id: "b7" })).toBe("bike b7");
});
