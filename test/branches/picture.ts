import type { Played } from '../operations/played.ts'

/**
 * The output in a terminal of 120 columns. Ids become numbers in order of appearance and ages
 * become `AGE`, because both differ from run to run.
 */
export async function picture(p: Played, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await p.s.retake(...args, '--session', p.id, {
    env: { TERM: 'xterm', COLUMNS: '120' },
  })
  const ids = new Map<string, string>()
  const named = `${stderr}${stdout}`.replaceAll(/\b[0-9a-f]{8}\b/g, (id) => {
    if (!ids.has(id)) ids.set(id, `#${String(ids.size + 1).padStart(7, '0')}`)
    return ids.get(id)!
  })
  return `\n${named.replaceAll(/ (?:\d+ (?:s|min)|now)\b */g, ' AGE ').replaceAll(/ +$/gm, '')}`
}
