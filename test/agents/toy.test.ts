import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeAgent, FILE } from './contract.ts'
import { readToy, toyLine, type ToyLine } from './toy/toy-file.ts'
import { toy } from './toy/toy.ts'

type Turn = Extract<ToyLine, { kind: 'turn' }>

describeAgent({
  name: 'a toy agent',
  agent: toy,
  async play(prompts) {
    const home = mkdtempSync(join(tmpdir(), 'retake-toy-'))
    const [project, directory] = [join(home, 'project'), join(home, 'toy')]
    mkdirSync(project)
    const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    const path = join(project, FILE)
    const lines: ToyLine[] = [{ kind: 'start', project, at: at(0) }]
    for (const [n, prompt] of prompts.entries()) {
      const before = n === 0 ? null : `${prompts[n - 1]}\n`
      writeFileSync(path, `${prompt}\n`)
      const edits = [{ path, before, after: `${prompt}\n` }]
      const parent = n === 0 ? null : `turn${n - 1}`
      lines.push({ kind: 'turn', id: `turn${n}`, parent, at: at(n + 1), prompt, edits, answer: 'ok' }) // prettier-ignore
    }
    mkdirSync(join(directory, 'sessions'), { recursive: true })
    writeFileSync(join(directory, 'sessions/ses_1.toy'), lines.map(toyLine).join(''))
    return {
      session: 'ses_1',
      home,
      project,
      directory,
      async [Symbol.asyncDispose]() {
        rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      },
    }
  },
  // The toy's own program: it continues from the last head, or the last turn after it.
  async resumed({ directory }, session) {
    const { lines } = readToy(join(directory, `sessions/${session}.toy`))
    const turns = new Map<string, Turn>()
    let head: string | null = null
    for (const { line } of lines) {
      if (line.kind === 'turn') turns.set((head = line.id), line)
      if (line.kind === 'head') head = line.turn
    }
    const sent: string[] = []
    for (let at = head === null ? undefined : turns.get(head); at !== undefined;) {
      sent.unshift(at.prompt)
      at = at.parent === null ? undefined : turns.get(at.parent)
    }
    return sent
  },
  skip: [],
})
