import {
  type Options,
  type Query,
  type SDKUserMessage,
  query,
} from '@anthropic-ai/claude-agent-sdk'
import type { Scene } from '../scene.ts'

/** One prompt, or a stream of messages that keeps the session open between them. */
export type SdkRun = { readonly options?: Options } & (
  | { readonly prompt: string }
  | { readonly stream: AsyncIterable<SDKUserMessage> }
)

export type SdkCall =
  | 'listSessions'
  | 'getSessionInfo'
  | 'getSessionMessages'
  | 'getSubagentMessages'
  | 'listSubagents'
  | 'forkSession'
  | 'renameSession'
  | 'tagSession'
  | 'deleteSession'

export function startQuery(
  run: SdkRun,
  { binary, env, cwd }: { binary: string; env: Readonly<Record<string, string>>; cwd: string },
): Query {
  return query({
    prompt: 'prompt' in run ? run.prompt : run.stream,
    options: {
      cwd,
      pathToClaudeCodeExecutable: binary,
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      ...run.options,
      env: { ...env, ...run.options?.env },
    },
  })
}

export async function callSdk<T>(s: Scene, name: SdkCall, args: readonly unknown[]): Promise<T> {
  const sdk = import.meta.resolve('@anthropic-ai/claude-agent-sdk')
  const script = `
    const sdk = await import(${JSON.stringify(sdk)})
    const value = await sdk[${JSON.stringify(name)}](...${JSON.stringify(args)})
    process.stdout.write(JSON.stringify(value ?? null))`
  const { code, stdout, stderr } = await s.run(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ])
  if (code !== 0) throw new Error(`${name} failed: ${stderr}`)
  return JSON.parse(stdout) as T
}
