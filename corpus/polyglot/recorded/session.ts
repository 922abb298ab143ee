// A recorded call, replayed by hand when the gateway misbehaves.
export function validateToken(raw: string): string {
  return raw === "" ? "token is empty" : "ok";
}
