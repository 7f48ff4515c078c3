/** Made-up but complete reports for the tests of the TUI. */
import type {
  BranchReport,
  FilePlan,
  LogReport,
  PlanReport,
  ProjectPath,
  SessionReport,
  TurnId,
  TurnReport,
} from '#timeline'

export const turnId = (number: number): TurnId => `t${number}` as TurnId

/** A session with these prompts. Turns after `active` are undone, and there is one other branch. */
export function logOf(prompts: readonly string[], active: number): LogReport {
  return {
    session: sessionOf('s', prompts[0] ?? ''),
    head: active === 0 ? null : turnId(active),
    turns: prompts.map((prompt, at) => turnOf(at + 1, prompt, at < active ? 'active' : 'undone')),
    branches: [
      branchOf('s', { label: 'main', current: true, tip: turnId(prompts.length) }),
      branchOf('b', { label: 'other', turns: [turnId(1)], tip: turnId(1) }),
    ],
    damage: [],
  }
}

export function sessionOf(id: string, title: string): SessionReport {
  return {
    id,
    title,
    agent: 'claude-code',
    project: null,
    turns: null,
    branches: null,
    head: null,
    updatedAt: '',
    live: null,
    parent: null,
    lineage: null,
    archived: false,
    deleted: false,
    gone: false,
  }
}

function turnOf(number: number, prompt: string, state: TurnReport['state']): TurnReport {
  return {
    turn: {
      id: turnId(number),
      parent: number === 1 ? null : turnId(number - 1),
      kind: 'prompt',
      prompt,
      at: null,
      absorbed: [],
      interrupted: false,
      parentMissing: false,
      summarized: false,
    },
    number,
    state,
    branch: 's',
    messages: 2,
    steps: 0,
    files: [],
    filesState: state === 'active' ? 'in' : 'out',
    coverage: 'whole-tree',
    commands: [],
    git: [],
    children: 1,
    checkpoints: [],
    editedAfter: [],
  }
}

function branchOf(
  id: string,
  more: Partial<BranchReport> & Pick<BranchReport, 'tip' | 'label'>,
): BranchReport {
  const plain = { name: null, fork: null, turns: [], current: false, archived: false }
  return { id, ...plain, canonical: false, at: null, ...more }
}

const absent = { kind: 'absent' } as const

const fileOf = {
  pre: absent,
  post: absent,
  added: 0,
  removed: 0,
  linesNow: 0,
  linesAfter: 0,
  binary: false,
  timesChanged: 1,
  why: null,
  chosen: null,
  proposed: null,
  regions: [],
  sides: null,
  with: [],
}

/** A plan that undoes one turn and changes these files. */
export function planOf(
  ...files: readonly (Pick<FilePlan, 'verb' | 'choices'> & { readonly path: string })[]
): PlanReport {
  return {
    id: 'p',
    verb: 'undo',
    session: 's',
    from: null,
    to: null,
    branches: [],
    name: null,
    target: null,
    turns: 1,
    messages: 0,
    conversation: 'move',
    files: files.map((file) => ({ ...fileOf, ...file, path: file.path as ProjectPath })),
    left: [],
    notCovered: [],
    warnings: [],
  }
}
