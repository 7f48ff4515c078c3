import type { ChildProcess } from 'node:child_process'
import { openMachine } from '#engine'
import { readEnvironment } from '../../src/cli/environment.ts'
import { claudeCode } from '../agent/index.ts'
import { scansEnd } from '../faults/cli-world.ts'
import { inMemory } from '../house/in-memory.ts'
import { bash, edit, read, scriptedModel, write } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'
import type { HistoryWorld, Step } from './history.ts'
import { retakeOn } from './retake-on.ts'

/** The real Claude Code with Retake's hooks and scans; operations run in this process. */
export async function agentWorld({ git }: { git: boolean }): Promise<HistoryWorld> {
  const s = await scene({ below: inMemory(), git })
  const model = await scriptedModel()
  const agent = claudeCode(s, model)
  const { code, stdout, stderr } = await s.retake('install', '--json')
  if (code !== 0) throw new Error(`${stdout}${stderr}`)
  const session = crypto.randomUUID()
  const { places } = readEnvironment({ ...s.env }, {})
  const now = (): Date => new Date()
  const machine = openMachine(
    { ...places, cwd: s.project },
    { now, newId: () => crypto.randomUUID() },
  )
  const { operate, line } = retakeOn(machine, { project: s.project, session })
  let open: OpenAgent | null = null
  let isNew = true

  // Retake moves the conversation of a running agent only when the agent ends.
  const close = async (): Promise<void> => {
    await open?.end()
    open = null
    await scansEnd(s)
  }
  return {
    project: s.project,
    // Only its TUI can rewind, and that takes seconds.
    rewinds: false,
    async turn(prompt, steps) {
      model.on(prompt, [...steps.flatMap(roundsOf), 'done'])
      open ??= openAgent(s, agent, isNew ? ['--session-id', session] : ['--resume', session])
      isNew = false
      await open.say(prompt)
    },
    async operate(operation) {
      await close()
      return operate(operation)
    },
    async line() {
      await close()
      return line()
    },
    async [Symbol.asyncDispose]() {
      await close()
      machine[Symbol.dispose]()
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}

function roundsOf(step: Step) {
  if ('bash' in step) return [bash(step.bash.join('\n'))]
  // The agent's tools refuse to write to a file that was not read.
  if ('write' in step) return [read(step.write), write(step.write, step.text)]
  return [read(step.edit), edit(step.edit, step.old, step.new)]
}

interface OpenAgent {
  /** Sends a prompt and waits for the end of its turn. */
  say(prompt: string): Promise<void>
  end(): Promise<void>
}

/** One agent process for many prompts, because starting it is most of a short turn. */
function openAgent(
  s: Scene,
  { binary, env }: ReturnType<typeof claudeCode>,
  session: readonly string[],
): OpenAgent {
  const args = ['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose', '--dangerously-skip-permissions', ...session] // prettier-ignore
  const child: ChildProcess = s.processes.start(binary, args, { cwd: s.project, env })
  const ended = Promise.withResolvers<void>()
  child.once('close', () => ended.resolve())
  let answered = Promise.withResolvers<void>()
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (said + chunk).split('\n')
    said = lines.pop()!
    for (const text of lines)
      if ((JSON.parse(text) as { type: string }).type === 'result') answered.resolve()
  })
  return {
    async say(content) {
      answered = Promise.withResolvers()
      const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
      child.stdin!.write(`${JSON.stringify(message)}\n`)
      await Promise.race([
        answered.promise,
        ended.promise.then(() => {
          throw new Error('The agent ended before it answered.')
        }),
      ])
    },
    async end() {
      child.stdin!.end()
      await ended.promise
    },
  }
}
