import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'
import { keepSessions } from '#engine'
import { durableDisk, nameBytes, performAppend, prepareAppend } from '#disk'
import { Failure } from '#failure'
import { findVault, readKept, vaultFiles } from '#store'
import { scene } from '../scene.ts'
import { machineOf } from './in-process.ts'

/**
 * Moves a session back and forth while another process writes to its transcript, and sometimes
 * copies the transcript. Returns what is missing at the end: lines of the writer, lines of Retake,
 * or bytes in the vault.
 */
export async function race(moves: number): Promise<{
  written: number
  moved: number
  missing: string[]
}> {
  await using s = await scene()
  using machine = machineOf(s)
  const id = machine.newId()
  const path = join(
    s.claudeDir,
    'projects',
    s.project.replaceAll(/[^A-Za-z0-9]/g, '-'),
    `${id}.jsonl`,
  )
  const row = {
    type: 'user',
    uuid: machine.newId(),
    parentUuid: null,
    sessionId: id,
    cwd: s.project,
  }
  await s.write(
    path,
    `${JSON.stringify({ ...row, message: { role: 'user', content: 'hello' } })}\n`,
  )
  const writer = spawn(process.execPath, [
    fileURLToPath(new URL('writer.ts', import.meta.url)),
    path,
  ])
  let said = ''
  writer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))

  const done: string[] = []
  for (let n = 0; n < moves; n += 1) {
    const lines = ['marker', 'pointer'].map((kind) => JSON.stringify({ type: kind, move: n }))
    if (append(path, `${lines.join('\n')}\n`)) done.push(...lines)
    else n -= 1
    if (n % 50 === 0) keepSessions(machine, [id])
    // Yield to the event loop for the writer's events.
    if (n % 10 === 0) await new Promise(setImmediate)
  }
  writer.stdin.end()
  await once(writer, 'close')
  keepSessions(machine, [id])

  const bytes = await readFile(path)
  const lines = new Map<string, number>()
  for (const line of bytes.toString().split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1)
  const written = Number(said)
  const expected = [
    ...done,
    ...Array.from({ length: written }, (_, n) =>
      JSON.stringify({ type: 'agent', n, text: 'x'.repeat(n % 700) }),
    ),
  ]
  const missing = expected.filter((line) => lines.get(line) !== 1)
  using vault = findVault({ data: machine.places.data, disk: durableDisk })!
  const kept = vaultFiles(vault, id).filter(({ role }) => role === 'transcript')
  if (kept.length !== 1 || !Buffer.concat([...readKept(vault, kept[0]!)]).equals(bytes))
    missing.push('bytes in the vault')
  return { written, moved: done.length / 2, missing }
}

/** Appends as an operation does; false if the writer interfered and nothing was written. */
function append(path: string, text: string): boolean {
  const { inode, size } = durableDisk.stat(nameBytes(path))!
  const planned = prepareAppend(durableDisk, path, { inode, size }, Buffer.from(text))
  if (planned === null) return false
  try {
    performAppend(durableDisk, planned)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
