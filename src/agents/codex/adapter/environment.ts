/** The variable that sets Codex's directory. */
export const DIRECTORY = 'CODEX_HOME'

/** What Codex sets for the commands that it runs. */
const MARKS = [
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_CI',
  'CODEX_SANDBOX',
] as const

type Env = Readonly<Record<string, string | undefined>>

/** The session that started this process, if Codex did. */
export function startedBy(env: Env): { session: string; pid: number | null } | null {
  const session = env['CODEX_THREAD_ID']
  return session ? { session, pid: null } : null
}

/** An agent that Retake starts must not assume that it runs inside another one. */
export function withoutMarks<T extends Env>(env: T): T {
  return { ...env, ...Object.fromEntries(MARKS.map((name) => [name, undefined])) }
}

export function directoryOf(env: Env, home: string): string {
  return env[DIRECTORY] || `${home}/.codex`
}
