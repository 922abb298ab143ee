import { mint } from "@acme/tokens/sign";
import { describe, expect, it, test } from "vitest";

import { KeySet } from "./keys";
import * as login from "./login";
import { Guard } from "./middleware";

const secret = "not a real secret";
const keys = new KeySet([{ id: "k1", secret }]);

function token(subject: string, expires = Date.now() + 60_000): string {
  return mint("k1", subject, expires, secret);
}

describe("validateToken", () => {
  it("refuses an empty token", () => {
    expect(() => login.validateToken("", keys)).toThrow("token is empty");
  });

  it("refuses an expired token", () => {
    expect(() => login.validateToken(token("user:ada", 1), keys)).toThrow("token has expired");
  });

  it.each(["one", "one.two"])("refuses %s", (raw) => {
    expect(login.checkToken(raw, keys)).toBe(false);
  });
});

test("guard answers 401 to an empty token", () => {
  const answer = new Guard(keys).wrap(() => 200);
  expect(answer({ path: "/me", headers: {} })).toBe(401);
});
