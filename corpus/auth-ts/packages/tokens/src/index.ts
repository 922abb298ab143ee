export * from "./parse";
export { checksum as signatureOf } from "./sign";
export type { Secret } from "./sign";
