import axios from "axios"
import { emptyTable, price } from "@shop/ui"

export async function showOrder(number: string): Promise<string> {
  const answer = await fetch(`/orders/${number}`)
  const order = await answer.json()
  const table = emptyTable()
  table.addRow(price(order.cents))
  return number
}

export function sendOrder(item: string) {
  return axios.post("/orders", { item })
}
