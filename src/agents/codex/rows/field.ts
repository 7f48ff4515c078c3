/** Reads a field of an unknown value. Own fields only: `constructor` is not data. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

export function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function integer(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
