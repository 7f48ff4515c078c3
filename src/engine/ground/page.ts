/** A page of a long list: the newest `limit` entries before the one with the id `before`. */
export interface Page {
  readonly limit: number | null
  readonly before: string | null
}
