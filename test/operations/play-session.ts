import type { claudeCode } from '../agent/index.ts'
import type { Scene } from '../scene.ts'

type Agent = ReturnType<typeof claudeCode>

/** A stash, a staged file and an untracked one, which a careless restore would destroy (I4). */
export async function makeGitInteresting(s: Scene): Promise<void> {
  const { code, stderr } = await s.run('sh', [
    '-ec',
    `echo stashed > .stashed; git add .stashed; git stash push --quiet
     echo staged > .staged; git add .staged; echo more >> .staged; echo untracked > .untracked`,
  ])
  if (code !== 0) throw new Error(stderr)
}

interface SessionToPlay {
  readonly s: Scene
  readonly agent: Agent
  readonly prompts: readonly string[]
  readonly checkpointing: boolean
  /** The session to continue; without it a new one starts. */
  readonly resume?: string
  readonly cwd?: string
  readonly args?: readonly string[]
  /**
   * Called with the agent's last answer to each prompt, or the text of its error. The next prompt
   * waits for it.
   */
  readonly onResult?: (result: string) => unknown
}

/** Plays all prompts in one agent process, each after the previous answer. */
export async function playSession(known: SessionToPlay): Promise<string> {
  const { s, agent, prompts, checkpointing, resume, cwd = s.project, args = [], onResult } = known
  const child = s.processes.start(
    agent.binary,
    [
      '-p',
      '--input-format=stream-json',
      '--output-format=stream-json',
      '--verbose',
      '--dangerously-skip-permissions',
      ...(resume === undefined ? [] : ['--resume', resume]),
      ...args,
    ],
    {
      cwd,
      env: {
        ...agent.env,
        ...(checkpointing ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' } : {}),
      },
    },
  )
  const waiting = [...prompts]
  let said = ''
  let session = ''
  const ended = Promise.withResolvers<void>()
  const next = (): void => {
    const content = waiting.shift()
    if (content === undefined) return void child.stdin!.end()
    const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
    child.stdin!.write(`${JSON.stringify(message)}\n`)
  }
  const goOn = async (result: string): Promise<void> => {
    try {
      await onResult?.(result)
      next()
    } catch (error) {
      child.stdin!.end()
      ended.reject(error)
    }
  }
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    const lines = said.split('\n')
    said = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as { type: string; session_id?: string; result?: string }
      if (message.type !== 'result') continue
      session = message.session_id ?? ''
      void goOn(message.result ?? '')
    }
  })
  child.once('close', () => ended.resolve())
  next()
  await ended.promise
  if (session === '') throw new Error('The agent did not answer.')
  return session
}
