/**
 * Records the session of `retake demo` with the real agent and the scripted model into
 * src/cli/demo-session.json. Keeps only the rows of the conversation; what the agent tells the
 * model about itself and the machine is left out.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stage } from '../test/web/stage.ts'

type Row = Record<string, unknown>

process.umask(0o022)
await using played = await stage()
const { s, agent, id } = played
const { path, rows } = await agent.transcript(id)
const helpers = join(path.replace(/\.jsonl$/, ''), 'subagents')
const subagents: Record<string, string> = {}
for (const name of await readdir(helpers)) {
  const text = await readFile(join(helpers, name), 'utf8')
  const lines = name.endsWith('.jsonl')
    ? conversation(
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Row),
      )
    : [text]
  subagents[name] = lines.join('\n')
}
const recorded = JSON.stringify(
  { files: await s.files(), rows: conversation(rows), subagents },
  null,
  1,
)
const out = fileURLToPath(new URL('../src/cli/demo-session.json', import.meta.url))
await writeFile(out, `${recorded.replaceAll(s.project, '{project}').replaceAll(id, '{session}')}\n`)

/** Relinks each kept row to its nearest kept ancestor. */
function conversation(all: readonly Row[]): string[] {
  const parents = new Map(all.map((row) => [row['uuid'], row['parentUuid']]))
  const kept = all.filter(({ type }) => ['user', 'assistant', 'last-prompt'].includes(String(type)))
  const there = new Set(kept.map(({ uuid }) => uuid))
  return kept.map((row) => {
    let parent = row['parentUuid']
    while (typeof parent === 'string' && !there.has(parent)) parent = parents.get(parent) ?? null
    return JSON.stringify('parentUuid' in row ? { ...row, parentUuid: parent } : row)
  })
}
