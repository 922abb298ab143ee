/** Rows with a heading. */
export class Table {
  private rows: string[] = []

  addRow(row: string): Table {
    this.rows.push(row)
    return this
  }
}

export function emptyTable(): Table {
  return new Table()
}
