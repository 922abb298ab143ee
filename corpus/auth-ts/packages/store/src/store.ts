/** One stored row. */
export interface Row {
  owner: string;
}

/** What the service needs of a database. */
export interface Store {
  get(id: string): Row | undefined;
  set(id: string, row: Row): void;
  delete(id: string): boolean;
  close?(): void;
}
