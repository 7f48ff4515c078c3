import type { Played } from '../operations/played.ts'

/** Runs commands and returns their output and exit codes, with ids, times and paths normalized. */
export async function seen(p: Pick<Played, 's'>, ...lines: string[]): Promise<string> {
  const parts: string[] = []
  for (const line of lines) {
    const args = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
    const { code, stdout, stderr } = await p.s.retake(...args, {
      env: { TERM: 'xterm', COLUMNS: '80' },
    })
    const end = code === 0 ? '' : `(${code})\n`
    parts.push(`$ retake ${line}\n${stdout}${stderr}${end}`)
  }
  return tame(p, parts.join('\n'))
}

export function tame({ s }: Pick<Played, 's'>, text: string): string {
  const ids = new Map<string, string>()
  const idOf = (prefix: string): string => {
    if (!ids.has(prefix)) ids.set(prefix, String.fromCodePoint(97 + ids.size).repeat(8))
    return ids.get(prefix)!
  }
  return text
    .replaceAll(s.root, '/ROOT')
    .replaceAll(/#code=[\w-]+/g, '#code=CODE')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'PORT')
    .replaceAll(/retake-demo-[0-9a-f]{8}/g, 'retake-demo-aaaaaaaa')
    .replaceAll(
      /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      (_, first: string) => `${idOf(first)}-…`,
    )
    .replaceAll(/\b[0-9a-f]{8}\b/g, idOf)
    .replaceAll(/\b\d\d:\d\d\b/g, '12:00')
    .replaceAll(/(?<= {2}|· )(?:now|\d+ (?:s|min))\b */g, 'AGE ')
    .replaceAll(/\b[\d.]+ (?:KB|MB)\b/g, 'SIZE')
    .replaceAll(/ +$/gm, '')
}
