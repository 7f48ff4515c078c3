import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ResponsesModel } from '../model/index.ts'
import type { RunOptions, RunResult, Scene } from '../scene.ts'
import { findCodexBinary } from './codex-binary.ts'

export interface CodexOptions {
  /** Another version than the usual one. */
  readonly binary?: string
  /** Lines for its configuration. */
  readonly config?: readonly string[]
  /** The name of the model, which the page shows. */
  readonly name?: string
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
  /** The same in a copy of its directory, so that the session stays as it is. */
  probed(session: string): Promise<string[]>
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
  {
    binary = findCodexBinary() ?? 'codex',
    config = [],
    name = 'scripted-model',
  }: CodexOptions = {},
): Codex {
  const home = join(s.home, '.codex')
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'config.toml'),
    configOf(s.project, { name, url: model.url, more: config }),
  )
  const env = { ...s.env, CODEX_HOME: home, SCRIPTED_KEY: 'scripted', HTTPS_PROXY: model.url }
  const run = (args: readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    s.run(binary, args, { ...options, env: { ...env, ...options.env } })
  const resumedWith = async (more: Record<string, string>, session: string): Promise<string[]> => {
    const { stderr, stdout, code } = await made.prompt('probe', { resume: session, env: more })
    const request = model.requests.findLast(({ prompt }) => prompt === 'probe')
    if (code !== 0 || request === undefined) throw new Error(`codex ${code}: ${stdout}${stderr}`)
    return model.userTexts(model.requests.indexOf(request)).slice(0, -1)
  }
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
    resumed: (session) => resumedWith({}, session),
    async probed(session) {
      const copy = `${home}-probe`
      cpSync(home, copy, { recursive: true })
      moveIndex(copy, home)
      try {
        return await resumedWith({ CODEX_HOME: copy }, session)
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
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

/** The index has absolute paths. */
function moveIndex(home: string, from: string): void {
  const path = join(home, 'state_5.sqlite')
  if (!existsSync(path)) return
  const database = new DatabaseSync(path)
  database
    .prepare('update threads set rollout_path = ? || substr(rollout_path, ?)')
    .run(home, from.length + 1)
  database.close()
}

function configOf(
  project: string,
  { name, url, more }: { name: string; url: string; more: readonly string[] },
): string {
  return `${[
    `model = "${name}"`,
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
