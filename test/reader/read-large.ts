/**
 * Writes a very large file, or reads it and prints time and memory. In two processes, so that
 * memory of the writer does not count.
 */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'
import { buildConversation } from '../../src/agents/claude-code/chain/turns.ts'
import { lines } from '../../bench/generate-transcripts.ts'
import { unaccountedBytes } from './account.ts'
import { linesOf } from './notation.ts'

const [task = '', kind = '', path = ''] = process.argv.slice(2)
const rows = linesOf('u1@0 a1@1 c1@2 r1@3 a2@4').map((row) => JSON.stringify(row))
const MB = 1024 * 1024

const writers: Readonly<Record<string, (write: (text: string) => void) => void>> = {
  'long-line'(write) {
    const at = rows[3]!.indexOf('"done"')
    const [before, after] = [rows[3]!.slice(0, at), rows[3]!.slice(at + '"done"'.length)]
    write(`${rows.slice(0, 3).join('\n')}\n${before}"`)
    for (let i = 0; i < 600; i++) write('y'.repeat(MB))
    write(`"${after}\n${rows[4]}\n`)
  },
  deep(write) {
    const [before, after] = rows[3]!.split('"toolUseResult":"done"') as [string, string]
    const deep = `${'['.repeat(5e6)}${']'.repeat(5e6)}`
    write(`${rows.slice(0, 3).join('\n')}\n${before}"toolUseResult":${deep}${after}\n${rows[4]}\n`)
  },
  'many-lines'(write) {
    write(`${rows.join('\n')}\n`)
    for (let i = 0; i < 1000; i++) write('{"type":"mode","mode":"x"}\n'.repeat(10_000))
  },
  gigabyte(write) {
    for (const line of lines(1e9)) write(line)
  },
}

if (task === 'write') writeFile()
else readFile()

function writeFile(): void {
  const file = openSync(path, 'wx')
  writers[kind]!((text) => writeSync(file, text))
  closeSync(file)
}

function readFile(): void {
  const { size } = statSync(path)
  const start = performance.now()
  const transcript = readTranscript(path)
  const took = Math.round(performance.now() - start)
  findResume(transcript.rows, transcript.pointers)
  const { turns } = buildConversation(transcript)
  rmSync(path)
  const left = unaccountedBytes(transcript, size)
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(
    `${Math.round(size / MB)} MB, ${transcript.rows.length} rows, ${turns.length} turns, ` +
      `${transcript.damage.length} damaged, ${took} ms, ${memory} MB of memory, ${left} bytes left`,
  )
  if (left !== 0 || turns.length === 0 || transcript.rows.length < rows.length) process.exitCode = 1
}
