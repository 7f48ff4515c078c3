/**
 * Asks the real agent where it resumes: puts a session file into a scene, resumes it with one more
 * prompt, and compares the request to the model with the reader's result.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import { slugOf } from '../../src/agents/claude-code/steps/places.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'
import { type ClaudeCode } from '../agent/claude-code.ts'
import { claudeCode } from '../agent/index.ts'
import { recallOrRun } from '../operations/recorded-run.ts'
import { type ScriptedModel, scriptedModel } from '../model/index.ts'
import { type Scene, scene } from '../scene.ts'
import { hasAnswersApart, linesOfChain, linesOfRequest } from './sent.ts'

export interface Answer {
  readonly reader: readonly string[]
  /** Null if the agent finds no such conversation. */
  readonly agent: readonly string[] | null
  /** The reader's path to the leaf passes one answer in two places. */
  readonly apart: boolean
}

export interface Probe extends AsyncDisposable {
  readonly scene: Scene
  readonly model: ScriptedModel
  readonly agent: ClaudeCode
  resume(bytes: Uint8Array): Promise<Answer>
}

export async function openProbe(): Promise<Probe> {
  const stack = new AsyncDisposableStack()
  const s = stack.use(await scene())
  const model = stack.use(await scriptedModel())
  const agent = claudeCode(s, model)
  const directory = join(s.claudeDir, 'projects', slugOf(s.project))
  await mkdir(directory, { recursive: true })
  return {
    scene: s,
    model,
    agent,
    async resume(bytes) {
      const id = randomUUID()
      const path = join(directory, `${id}.jsonl`)
      await writeFile(path, bytes)
      const { rows, pointers } = readTranscript(path)
      const { chain } = findResume(rows, pointers)
      const reader = withoutFiller(linesOfChain(path, chain))
      const apart = hasAnswersApart(chain)
      const args = ['--bare']
      const run = () => agent.prompt('probe', { resume: id, args })
      const asked = { prompt: 'probe', args, resume: id }
      const said = await recallOrRun({ s, model, session: id, asked, leavesNothing: true, run })
      await rm(path)
      const request = model.requests.find(({ sessionId }) => sessionId === id)
      if (request !== undefined)
        return {
          reader,
          agent: withoutFiller(linesOfRequest(request.body).slice(0, -1)),
          apart,
        }
      if (
        !said.result.includes('No conversation found') &&
        !said.stderr.includes('No conversation')
      )
        throw new Error(`The agent sent nothing: ${said.result}${said.stderr}`)
      return { reader, agent: null, apart }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Without the filler that the agent inserts between two prompts. */
function withoutFiller(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === 'assistant: No response requested.' ? lines.slice(0, -1) : lines
}
