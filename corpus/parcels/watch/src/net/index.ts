export { Backoff } from "./backoff";
export { openSocket, type Socket } from "./socket";
