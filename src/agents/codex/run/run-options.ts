import type { RunRequest } from '../../runner.ts'
import type { Params } from './rpc.ts'

/** The prompt and its images, as `turn/start` takes them. */
export function inputOf({ prompt, images }: RunRequest): Params[] {
  return [
    ...images.map(({ type, data }) => ({ type: 'image', url: `data:${type};base64,${data}` })),
    ...(prompt === '' ? [] : [{ type: 'text', text: prompt, text_elements: [] }]),
  ]
}

/**
 * What replaces the user's own configuration, for the session's process. In the mode `default`
 * nothing does: Codex asks as in the user's terminal.
 */
export function overridesOf({ model, permissionMode, allowed }: RunRequest): {
  readonly thread: Params
  readonly turn: Params
} {
  const mode = MODES[permissionMode ?? allowed.mode ?? 'default'] ?? {}
  return { thread: { ...mode, ...(model === null ? {} : { model }) }, turn: {} }
}

/** Codex's approvals and sandbox for each mode of Retake. */
const MODES: Readonly<Record<string, Params>> = {
  acceptEdits: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  plan: { approvalPolicy: 'on-request', sandbox: 'read-only' },
  dontAsk: { approvalPolicy: 'never', sandbox: 'workspace-write' },
  auto: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  bypassPermissions: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
}
