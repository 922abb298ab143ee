import { checksum, type Secret } from "./sign";

/** A token split at its dots. */
export interface Parts {
  keyId: string;
  subject: string;
  expires: number;
  signature: number;
}

/** Splits a token; the signature is read but not verified. */
export function split(raw: string): Parts {
  const fields = raw.split(".");
  if (fields.length !== 4) {
    throw new SyntaxError(`token must have four parts, not ${fields.length}`);
  }
  const [keyId, subject, expires, signature] = fields;
  return { keyId, subject, expires: number(expires), signature: number(signature) };
}

/** Whether the signature fits the secret. */
export const verify = (parts: Parts, secret: Secret): boolean => parts.signature === checksum(signed(parts), secret);

const signed = ({ keyId, subject, expires }: Parts) => `${keyId}.${subject}.${expires}`;

function number(text: string): number {
  const value = Number.parseInt(text, 10);
  if (Number.isNaN(value)) {
    throw new SyntaxError(`${text} is not a number`);
  }
  return value;
}
