/**
 * Whether a command printed what the manual shows. Ids, times, ages and sizes differ from run to
 * run, and so does the width of columns. `…` matches omitted text; on a line of its own, any number
 * of lines.
 */
export function isSameText(shown: string, said: string): boolean {
  const pattern = settle(shown)
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${escape(line).replaceAll('…', '.*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(`${settle(said)}\n`)
}

const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID'],
  [/\b[0-9a-f]{40}\b/g, 'ID'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b/g, 'ID'],
  [/\b(\d{4}-\d\d-\d\d )?\d\d:\d\d\b/g, 'TIME'],
  [/\b(\d+ (s|min|h|days?)|now)\b/g, 'AGE'],
  [/\b\d+(\.\d+)? (bytes|KB|MB)/g, 'SIZE'],
  [/ {2,}/g, ' '],
  [/ +$/gm, ''],
]

function settle(text: string): string {
  return VARIABLE.reduce((now, [what, word]) => now.replaceAll(what, word), text.trimEnd())
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
