import { createHash } from 'node:crypto'
import { readSmallFile, realPathOf } from '#disk'
import { readMark } from '../../hook-settings/hook-entry.ts'
import { readLenient } from '../../hook-settings/plan-hooks.ts'
import { readHookStates } from './hook-states.ts'

const MAX_CONFIG_BYTES = 16 * 1024 * 1024

export type HookTrust = 'trusted' | 'not-trusted' | 'changed' | 'switched-off'

/**
 * Whether Codex runs Retake's hooks in a file. It runs a hook only if the user's configuration has
 * the hook's hash, which Codex writes when the user accepts the hook. A hook is named by its file,
 * event and position. Only the user gives this trust: Retake never writes it.
 */
export function readTrust(config: string, file: string): HookTrust {
  const states = readHookStates(textOf(`${config}/config.toml`))
  const trusts = ownHooks(file).map(({ key, hash }): HookTrust => {
    const state = [file, realPathOf(file)]
      .map((path) => states.get(`${path}:${key}`))
      .find((each) => each !== undefined)
    if (state?.enabled === false) return 'switched-off'
    if (state?.trustedHash === undefined) return 'not-trusted'
    return state.trustedHash === hash ? 'trusted' : 'changed'
  })
  const found = new Set(trusts)
  const worst = ['switched-off', 'not-trusted', 'changed'] as const
  return worst.find((each) => found.has(each)) ?? 'trusted'
}

interface OwnHook {
  /** Event and position, as the configuration names them. */
  readonly key: string
  readonly hash: string
}

function ownHooks(file: string): OwnHook[] {
  const hooks = objectOf(readLenient(file)?.value['hooks'])
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, i) =>
      listOf(objectOf(group)['hooks']).flatMap((hook, j) => {
        const { command, timeout } = objectOf(hook)
        if (readMark(command) === null) return []
        const label = event.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
        const made = { async: false, command, timeout, type: 'command' }
        // The keys in order of the alphabet, as Codex sorts them before it computes the hash.
        const identity = JSON.stringify({ event_name: label, hooks: [made] })
        const hash = `sha256:${createHash('sha256').update(identity).digest('hex')}`
        return [{ key: `${label}:${i}:${j}`, hash }]
      }),
    ),
  )
}

function textOf(path: string): string {
  return readSmallFile(path, MAX_CONFIG_BYTES)?.toString('utf8') ?? ''
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
