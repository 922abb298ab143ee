const { closeDay, topRiders } = require("./rides");

describe("closeDay", () => {
  it("adds up what a rider rode", () => {
    const rides = [
      { rider: "ada", start: { at: 0 }, end: { at: 10 } },
      { rider: "ada", start: { at: 20 }, end: { at: 25 } },
    ];
    expect(closeDay(rides)).toEqual({ ada: 75 });
  });

  it("leaves out a bike that is still away", () => {
    expect(closeDay([{ rider: "bo", start: { at: 5 } }])).toEqual({});
  });
});

describe("topRiders", () => {
  describe("by sum", () => {
    it("names the highest first", () => {
      expect(topRiders({ ada: 75, bo: 300, cy: 20 }, 2)).toEqual(["bo", "ada"]);
    });
  });

  it.skip("breaks a tie by the date of joining", () => {});
  it.todo("counts families as one");
});
