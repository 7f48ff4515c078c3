import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { scene } from '../../scene.ts'
import { serving } from '../../server/serving.ts'
import { reportAttack } from '../report-attack.ts'
import { writeHostileSession } from './hostile-session.ts'

vi.setConfig({ testTimeout: 1_800_000 })

const LENGTH = 60_000
/** Texts that make a careless regular expression backtrack exponentially. */
const PIECES = [
  'a', 'aa!', ' ', '\t', '\n', '\r\n', '(', ')', '[', '](', '![', '<', '<a ', '</', '"', "'", '\\', '/', './', '../',
  '*', '**', '_', '`', '```\n', '~~', '#', '> ', '- ', '1. ', '|', '|-', '&', '&#', ':', '://a', 'a@', '.a', '-', '=',
  '\u001b[', '\u001b]', '<system-reminder>', '<command-name>', '<bash-input>', '\u00e9', '\u{1f600}', '0', '-1,', '{"a":',
] // prettier-ignore

/** CPU seconds that a process has used. */
async function spent(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function memory(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

test('[S15] texts that make regular expressions backtrack cost the server no more than others', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const pid = server.child.pid!
  let tried = 0
  for (const piece of PIECES) {
    const bad = `${piece.repeat(Math.ceil(LENGTH / piece.length))}!\u0000`
    const path = `${s.project}/${bad.replaceAll(/[/\u0000]/g, '').slice(0, 200)}.md`
    const does = [
      {
        answer: bad,
        thinking: bad,
        command: { tool: bad.slice(0, 60), text: bad, says: bad },
        file: { path, text: bad },
      },
    ]
    const id = await writeHostileSession(s, [{ prompt: bad, does }], { title: bad, branch: bad })
    const query = encodeURIComponent(bad.slice(0, 800).toWellFormed())
    for (const route of [
      `/api/sessions/${id}`,
      `/api/sessions/${id}/turns`,
      `/api/sessions/${id}/turns/1`,
      `/api/sessions/${id}/messages`,
      `/api/sessions/${id}/tree`,
      `/api/sessions/${id}/branches`,
      `/api/sessions/${id}/turns/${query}`,
      `/api/search?q=${query}`,
    ]) {
      const before = await spent(pid)
      expect((await server.get(route)).status, route.slice(0, 200)).toBeLessThan(500)
      expect(await spent(pid), `${JSON.stringify(piece)} ${route.slice(0, 100)}`).toBeLessThan(
        before + 2,
      )
      tried += 1
    }
  }
  expect(await memory(pid)).toBeLessThan(500)
  const attack = `${PIECES.length} texts of 60,000 characters that make regular expressions backtrack, in every field: answered with less than 2 s of CPU time and 500 MB`
  reportAttack({ goals: 'S15', attack, tried, held: tried })
})
