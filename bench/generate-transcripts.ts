import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Files shaped like Claude Code's: mostly tool output, in rows of a few kilobytes to megabytes. */

const code = Array.from(
  { length: 400 },
  (_, i) =>
    `  const v${i} = await handler(request, "k${i}"); // ${'x'.repeat(i % 60)}\n\tif (!v${i}) throw new Error("bad ${i}")`,
).join('\n')
const picture = randomBytes(300_000).toString('base64')

export function writeTranscript(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  let pending: string[] = []
  let size = 0
  for (const line of lines(bytes)) {
    pending.push(line)
    size += line.length
    if (size > 4_000_000) {
      writeSync(file, pending.join(''))
      pending = []
      size = 0
    }
  }
  writeSync(file, pending.join(''))
  closeSync(file)
}

export function* lines(bytes: number, sessionId: string = randomUUID()): Generator<string> {
  let parent: string | null = null
  const written = { bytes: 0 }
  let time = Date.UTC(2026, 0, 1)
  let turn = 0
  const row = (type: string, fields: object): string => {
    const uuid = randomUUID()
    const value = {
      parentUuid: parent,
      isSidechain: false,
      type,
      ...fields,
      uuid,
      timestamp: new Date((time += 3000)).toISOString(),
      userType: 'external',
      cwd: '/home/u/project',
      sessionId,
      version: '2.1.325',
      gitBranch: 'main',
    }
    parent = uuid
    const line = `${JSON.stringify(value)}\n`
    written.bytes += line.length
    return line
  }
  while (written.bytes < bytes) {
    turn++
    yield row('user', {
      message: { role: 'user', content: `Turn ${turn}: fix the "handler"\nand run the tests` },
      promptSource: 'typed',
    })
    for (let step = 0; step < 6 && written.bytes < bytes; step++) {
      const id = `toolu_${randomBytes(12).toString('hex')}`
      const message = (content: object[]): object => ({
        message: { id: `msg_${turn}_${step}`, type: 'message', role: 'assistant', content },
      })
      yield row('assistant', message([{ type: 'text', text: 'I will look at it. '.repeat(8) }]))
      const input = {
        file_path: `/home/u/project/f${step}.ts`,
        old_string: code.slice(0, 900),
        new_string: code.slice(400, 1500),
      }
      yield row('assistant', message([{ type: 'tool_use', id, name: 'Edit', input }]))
      const text =
        step === 5 && turn % 4 === 0 ? picture : code.slice(0, 2000 + ((turn * 7919) % 26_000))
      yield row('user', {
        message: {
          role: 'user',
          content: [{ tool_use_id: id, type: 'tool_result', content: text }],
        },
        toolUseResult: { filePath: input.file_path, originalFile: text, structuredPatch: [] },
      })
    }
  }
}

/** Five thousand small sessions in a hundred projects, like a machine after a year. */
export function writeSessions(config: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const directory = join(config, 'projects', `-home-u-p${i % 100}`)
    mkdirSync(directory, { recursive: true })
    writeTranscript(
      join(directory, `${randomUUID()}.jsonl`),
      i % 50 === 0 ? 1e6 : 20e3 + ((i * 37) % 150e3),
    )
  }
}
