export { ParcelWatcher } from "./watcher";
export type { WatchOptions } from "./watcher";
export { Backoff, openSocket as connect } from "./net";
export * from "./format";
export { messages } from "./locale/en";
