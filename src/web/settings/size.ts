/** Bytes in binary units (1 KB is 1024 bytes), as settings take them. */
export function size(n: number): string {
  if (n < 1024) return `${n} bytes`
  const units = ['KB', 'MB', 'GB', 'TB']
  const at = Math.min(3, Math.max(0, Math.floor(Math.log2(Math.max(n, 1)) / 10) - 1))
  const value = n / 1024 ** (at + 1)
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[at]}`
}

export function dayOf(iso: string | null): string {
  if (iso === null) return 'then'
  return new Date(iso).toLocaleDateString('en', { month: 'long', day: 'numeric' })
}
