import { moving, type Arguments } from './arguments.ts'

/** Where a verb can be used, besides the command line and the page. */
export type Surface =
  /** `/undo` in the terminal UI and in `retake chat`. */
  | 'slash'
  /** `/retake:undo` inside the agent. */
  | 'inside'
  /** `POST /api/sessions/ID/undo`: plan and apply in one. */
  | 'http'
  /** `POST /api/sessions/ID/plans`, for a plan that is shown first. */
  | 'plan'
  /** `plan_undo` for the model. */
  | 'mcp'

export interface Verb {
  /** Its spelling on the command line. */
  readonly words: string
  /** The flag, if the command line spells it as another verb with a flag: `checkpoint --delete`. */
  readonly flag?: string
  /** Its help text: what it does, in the imperative. */
  readonly does: string
  readonly takes: Arguments
  readonly on: readonly Surface[]
}

const ALL = ['slash', 'inside', 'http', 'plan', 'mcp'] as const

const countOf = {
  kind: 'count',
  word: true,
  called: 'n',
  says: 'how many turns; default 1',
} as const
const turn = { kind: 'turn', word: true, required: true } as const
const whole = {
  kind: 'yes',
  rare: true,
  says: 'also empty the conversation if its first turn is undone',
} as const
const branches = { kind: 'branches', word: true, required: true, called: 'branch' } as const
const sessions = {
  kind: 'sessions',
  word: true,
  required: true,
  called: 'session',
  says: 'ids of sessions of one project, or the start of them',
} as const
const branchName = 'name of the branch, or the start of its id; the first branch is `main`'

/**
 * Every change that a user can request, with its arguments. The command line, the HTTP routes, the
 * terminal UI, slash commands, MCP tools and voice are all built from this table.
 */
export const verbs = {
  undo: {
    words: 'undo',
    does: 'undo the last turn, or the last N: files and conversation',
    on: ALL,
    takes: {
      count: countOf,
      whole,
      keepPrompt: { kind: 'yes', rare: true, says: 'undo only the answer; the prompt stays' },
      ...moving,
    },
  },
  redo: {
    words: 'redo',
    does: 'redo the next undone turn, or the next N',
    on: ALL,
    takes: { count: countOf, all: { kind: 'yes', says: 'all undone turns' }, ...moving },
  },
  back: {
    words: 'back',
    does: 'go back one turn in the conversation; files stay as they are',
    on: ['slash', 'http', 'plan'],
    takes: { expectHead: moving.expectHead },
  },
  rewind: {
    words: 'rewind',
    does: 'go to the end of a turn, back or forward; 0 is before the first',
    on: ALL,
    takes: {
      turn: { ...turn, says: 'number, id or checkpoint of the turn to go to' },
      before: { kind: 'yes', carries: 'turn', says: 'go to before the prompt of this turn' },
      exact: {
        kind: 'yes',
        rare: true,
        says: 'restore the whole project as it was then; removes other edits too',
      },
      whole,
      ...moving,
    },
  },
  revert: {
    words: 'revert',
    does: 'revert one turn’s file changes; later turns stay',
    on: ['slash', 'http', 'plan', 'mcp'],
    takes: {
      turn: { ...turn, says: 'the turn to revert' },
      off: { kind: 'yes', says: 'bring its changes back' },
      ...moving,
    },
  },
  'revert-files': {
    words: '',
    does: 'undo what the session’s turns did to some files; edits by others stay',
    on: ['plan'],
    takes: {
      files: { kind: 'files', required: true, says: 'paths of the files' },
      parts: { kind: 'parts', says: 'only these changes of one file' },
      ...moving,
    },
  },
  restore: {
    words: 'restore',
    does: 'restore files to what they were after a turn',
    on: ['http', 'plan'],
    takes: {
      files: {
        kind: 'files',
        word: true,
        required: true,
        called: 'path',
        says: 'paths of the files',
      },
      at: {
        kind: 'turn',
        required: true,
        called: 'turn',
        says: 'restore to the end of this turn; 0 is before the first',
      },
      parts: { kind: 'parts', says: 'only these changes of one file' },
      ...moving,
    },
  },
  switch: {
    words: 'switch',
    does: 'switch to another branch: files and conversation',
    on: ['slash', 'http', 'plan'],
    takes: {
      branch: { kind: 'branch', word: true, required: true, says: branchName },
      turn: { kind: 'turn', says: 'turn of that branch to go to; default: its last turn' },
      ...moving,
    },
  },
  branch: {
    words: 'branch',
    does: 'start a new session after a turn',
    on: ['slash', 'plan'],
    takes: {
      turn: { ...turn, says: 'the last turn of the new session' },
      title: {
        kind: 'name',
        rest: true,
        says: 'title of the new session; default: the old title and “(Branch)”',
      },
      ...moving,
    },
  },
  checkpoint: {
    words: 'checkpoint',
    does: 'name a turn, so that you can use the name instead of its number',
    on: ['slash'],
    takes: {
      name: {
        kind: 'name',
        word: true,
        says: 'name of the checkpoint; default: point-1, point-2 …',
      },
      turn: { kind: 'turn', says: 'turn to name; default: the current turn' },
    },
  },
  'checkpoint-delete': {
    words: 'checkpoint',
    flag: 'delete',
    does: 'delete the checkpoint; the turn stays',
    on: [],
    takes: { name: { kind: 'name', word: true, required: true, says: 'its name' } },
  },
  'op-undo': {
    words: 'op undo',
    does: 'undo the newest operation of Retake, or the one with this number',
    on: ['plan'],
    takes: {
      operation: {
        kind: 'operation',
        word: true,
        called: 'id',
        says: 'number of the operation in `op log`',
      },
      ...moving,
    },
  },
  'branch-rename': {
    words: 'branch rename',
    does: 'rename a branch, or a session that was branched off',
    on: [],
    takes: {
      branch: {
        kind: 'branch',
        word: true,
        required: true,
        says: 'branch, or id of a session that was branched off',
      },
      name: { kind: 'name', word: true, required: true, says: 'its new name' },
    },
  },
  'branch-delete': {
    words: 'branch delete',
    does: 'hide branches; turns shared with other branches stay',
    on: [],
    takes: { branches: { ...branches, says: branchName } },
  },
  'branch-archive': {
    words: 'branch archive',
    does: 'archive branches',
    on: [],
    takes: { branches: { ...branches, says: branchName } },
  },
  'branch-unarchive': {
    words: 'branch archive',
    flag: 'off',
    does: 'unarchive them',
    on: [],
    takes: { branches: { ...branches, says: branchName } },
  },
  'branch-canonical': {
    words: 'branch canonical',
    does: 'make a branch the main branch; the old one is archived',
    on: [],
    takes: { branch: { kind: 'branch', word: true, required: true, says: branchName } },
  },
  'session-rename': {
    words: 'sessions rename',
    does: 'rename a session in Retake',
    on: [],
    takes: {
      session: {
        kind: 'session',
        word: true,
        required: true,
        says: 'id of the session, or the start of it',
      },
      name: { kind: 'name', word: true, required: true, called: 'title', says: 'its new title' },
    },
  },
  /** The title that the agent itself shows, changed like its own `/rename` does. */
  'session-title': {
    words: '',
    does: 'rename a session for the agent too',
    on: [],
    takes: { name: { kind: 'name', required: true, says: 'its new title' } },
  },
  'session-delete': {
    words: 'sessions delete',
    does: 'hide sessions; the agent’s own files stay',
    on: [],
    takes: { sessions },
  },
  'session-archive': {
    words: 'sessions archive',
    does: 'archive sessions',
    on: [],
    takes: { sessions },
  },
  'session-unarchive': {
    words: 'sessions archive',
    flag: 'off',
    does: 'unarchive them',
    on: [],
    takes: { sessions },
  },
} as const satisfies Readonly<Record<string, Verb>>
