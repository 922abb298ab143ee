export type { Row, Store } from "./store";
export { default as MemoryStore } from "./memory";
export * as tools from "./tools";
