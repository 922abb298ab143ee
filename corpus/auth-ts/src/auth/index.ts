export * from "./claims";
export * from "./errors";
export { KeySet } from "./keys";
export type { Key } from "./keys";
export { validateToken as checkSignature, validateToken } from "./login";
export { Guard as AuthGuard, type Request } from "./middleware";
