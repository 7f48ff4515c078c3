/** The variable that sets Claude Code's directory. */
export const DIRECTORY = 'CLAUDE_CONFIG_DIR'

type Env = Readonly<Record<string, string | undefined>>

/** The session that started this process, if Claude Code did. */
export function startedBy(env: Env): { session: string; pid: number | null } | null {
  const session = env['CLAUDE_CODE_SESSION_ID']
  if (!env['CLAUDECODE'] || !session) return null
  return { session, pid: Number(env['CLAUDE_PID']) || null }
}

/** An agent that Retake starts must not assume that it runs inside another one. */
export function withoutMarks<T extends Env>(env: T): T {
  return { ...env, CLAUDECODE: undefined, CLAUDE_CODE_ENTRYPOINT: undefined }
}

export function directoryOf(env: Env, home: string): string {
  return env[DIRECTORY] || `${home}/.claude`
}
