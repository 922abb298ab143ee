/** A signing secret. */
export type Secret = string;

/** Mixes a text and a secret to one number. A toy, good enough for a fixture. */
export function checksum(text: string, secret: Secret): number {
  let sum = 7;
  for (const letter of text + secret) {
    sum = mix(sum, letter.charCodeAt(0));
  }
  return sum;
}

function mix(sum: number, code: number): number {
  return (Math.imul(sum ^ code, 16777619) >>> 0) % 1_000_003;
}

/** Writes a signed token. */
export function mint(keyId: string, subject: string, expires: number, secret: Secret): string {
  const text = `${keyId}.${subject}.${expires}`;
  return `${text}.${checksum(text, secret)}`;
}
