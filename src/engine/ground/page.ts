/** How a long list is cut: the newest `limit` of those that stand before the one with this id. */
export interface Page {
  readonly limit: number | null
  readonly before: string | null
}
