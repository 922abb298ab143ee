export { formatPrice as price } from "./money"
export * from "./table"
