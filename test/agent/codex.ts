import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResponsesModel } from '../model/index.ts'
import type { RunOptions, RunResult, Scene } from '../scene.ts'
import { findCodexBinary } from './codex-binary.ts'

export interface CodexOptions {
  /** Another version than the usual one. */
  readonly binary?: string
  /** Lines for its configuration. */
  readonly config?: readonly string[]
}

export interface Codex {
  readonly binary: string
  /** `CODEX_HOME`. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** One headless turn, in a new session or in one that exists. */
  prompt(text: string, options?: RunOptions & { resume?: string }): Promise<CodexTurn>
  /** The prompts that the model gets when the session is resumed, without the new one. */
  resumed(session: string): Promise<string[]>
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>
  /** Every rollout, oldest first. */
  rollouts(): string[]
}

export interface CodexTurn extends RunResult {
  readonly session: string
}

/** The real Codex in a scene, with the scripted model and without access to the network. */
export function codex(
  s: Pick<Scene, 'home' | 'project' | 'env' | 'run'>,
  model: ResponsesModel,
  { binary = findCodexBinary() ?? 'codex', config = [] }: CodexOptions = {},
): Codex {
  const home = join(s.home, '.codex')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.toml'), configOf(s.project, model.url, config))
  const env = { ...s.env, CODEX_HOME: home, SCRIPTED_KEY: 'scripted', HTTPS_PROXY: model.url }
  const run = (args: readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    s.run(binary, args, { ...options, env: { ...env, ...options.env } })
  const made: Codex = {
    binary,
    home,
    env,
    run,
    async prompt(text, { resume, ...options } = {}) {
      const how = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
      const args = resume === undefined ? ['exec', ...how, text] : ['exec', ...how, 'resume', resume, text] // prettier-ignore
      const result = await run(args, options)
      const started = /"thread_id":"([0-9a-f-]{36})"/.exec(result.stdout)?.[1]
      return { ...result, session: started ?? resume ?? '' }
    },
    async resumed(session) {
      const { stderr, stdout, code } = await made.prompt('probe', { resume: session })
      const request = model.requests.findLast(({ prompt }) => prompt === 'probe')
      if (code !== 0 || request === undefined) throw new Error(`codex ${code}: ${stdout}${stderr}`)
      return model.userTexts(model.requests.indexOf(request)).slice(0, -1)
    },
    rollouts() {
      return ['sessions', 'archived_sessions']
        .flatMap((name) => {
          const root = join(home, name)
          try {
            return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((each) =>
              join(root, each),
            )
          } catch {
            return []
          }
        })
        .filter((path) => path.endsWith('.jsonl'))
        .sort()
    },
  }
  return made
}

function configOf(project: string, url: string, more: readonly string[]): string {
  return `${[
    'model = "scripted-model"',
    'model_provider = "scripted"',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    'check_for_update_on_startup = false',
    ...more,
    '[analytics]',
    'enabled = false',
    '[model_providers.scripted]',
    'name = "Scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    `[projects.${JSON.stringify(project)}]`,
    'trust_level = "trusted"',
  ].join('\n')}\n`
}
