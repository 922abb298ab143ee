import { describe, expect, it } from "vitest";

import { validateToken } from "./login";

describe("validateToken", () => {
  it("refuses an empty token", () => {
    expect(() => validateToken("")).toThrow("token is empty");
  });

  it("reads the subject", () => {
    expect(validateToken("user:ada@99999999999").subject).toBe("user:ada");
  });
});
