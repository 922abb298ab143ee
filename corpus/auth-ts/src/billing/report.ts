/** One position of an invoice, in cents. Billing has nothing to do with signing in. */
export interface Line {
  customer: string;
  cents: number;
}

/** The month's total for each customer. */
export class Report {
  private totals: Record<string, number> = {};

  add({ customer, cents }: Line): this {
    this.totals[customer] = (this.totals[customer] ?? 0) + cents;
    return this;
  }

  toString(): string {
    return this.customers()
      .map((customer) => `${customer} ${money(this.totals[customer])}`)
      .join("\n");
  }

  private customers(): string[] {
    return Object.keys(this.totals).sort();
  }
}

const money = (cents: number): string => `${(cents / 100).toFixed(2)} EUR`;
