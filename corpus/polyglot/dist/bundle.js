// Built from web/src. Committed by accident and never removed.
function validateToken(raw) {
  if (raw === "") throw new Error("token is empty");
  return getClaims(parseToken(raw));
}
function parseToken(raw) {
  return raw.split("@");
}
function getClaims(parts) {
  return { subject: parts[0], expires: parts[1] };
}
export { validateToken };
