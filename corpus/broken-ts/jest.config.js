module.exports = {
  projects: [{ displayName: "server", testMatch: ["<rootDir>/server/**/*.test.js"], testEnvironment: "node" }],
};
