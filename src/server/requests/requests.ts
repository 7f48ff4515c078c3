import { z } from '@hono/zod-openapi'
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '#protocol'
import type {
  ApplyBody,
  ApprovalBody,
  ArchiveBody,
  BackBody,
  BranchBody,
  CheckpointBody,
  CompareQuery,
  DeleteCheckpointBody,
  HooksBody,
  How,
  ConverseBody,
  LaunchBody,
  NewBranchBody,
  OfSession,
  OperationQuery,
  OperationsQuery,
  PageQuery,
  PlanBody,
  ProjectFilesQuery,
  RedoBody,
  RevealQuery,
  RestoreBody,
  RevertBody,
  RewindBody,
  MomentQuery,
  CollectGarbageBody,
  SearchQuery,
  SettingBody,
  SessionBody,
  SessionsBody,
  SignInBody,
  StartBody,
  SwitchBody,
  UndoBody,
  UndoOperationBody,
  VersionsQuery,
  VoiceLineBody,
} from '#protocol'

/**
 * What may be asked, checked to the last key: an unknown one is refused, because a misspelt
 * `expectHead` that is passed over undoes twice. Names are looked up, never opened: no path, no
 * command and no content comes from a client.
 */

/** What may stand in a path. None of them ever meets the file system. */
export const params = {
  // Ids are as their agents write them: UUIDs, `ses_…`.
  session: /^[\w-]{4,100}$/,
  turn: /^[^/\u0000-\u001f\u007f]{1,200}$/,
  branch: /^[\w-]{4,100}(?:@\d+)?$/,
  plan: /^[0-9a-f]{32}$/,
  approval: /^[\w-]{1,100}$/,
  browser: /^[\w-]{16}$/,
  run: /^[0-9a-f-]{36}$/,
  file: /^\d{1,6}$/,
  store: /^[0-9a-f]{32}$/,
  entry: /^\d{1,9}$/,
  operation: /^(?:[0-9a-f]{32}\.)?\d{1,9}$/,
} as const

const name = z
  .string()
  .min(1)
  .max(200)
  // eslint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f]*$/)
const turn = z
  .union([name, z.int().min(0).max(9_999_999)])
  .openapi({ description: 'a turn: its number, its id, or the id of any message in it' })
const choice = z.enum(['keep-mine', 'put-back', 'mark'])
const count = z.int().min(1).max(999_999).optional()

const how = {
  only: z.enum(['files', 'chat']).optional(),
  onConflict: z.enum(['stop', 'keep-mine', 'put-back', 'mark']).optional(),
  includeUnsure: z.boolean().optional(),
  confirmed: z.boolean().optional(),
  expectHead: name.optional(),
}
const whole = z.boolean().optional()
const undo = { count, whole, keepPrompt: z.boolean().optional(), ...how }
const redo = { count, all: z.boolean().optional(), ...how }
const back = { expectHead: name.optional() }
const rewind = {
  turn,
  before: z.boolean().optional(),
  exact: z.boolean().optional(),
  whole,
  ...how,
}
const revert = { turn, off: z.boolean().optional(), ...how }
const files = z.array(z.string().min(1).max(4096)).min(1).max(1000)
const parts = z
  .array(z.string().regex(/^[0-9a-f]{40}$/))
  .min(1)
  .max(10_000)
  .optional()
const revertFiles = { files, parts, ...how }
const restore = { files, at: turn, parts, ...how }

const sessions = z
  .array(z.string().regex(/^[\w-]{4,100}$/))
  .min(1)
  .max(1000)
const ofSession = { session: name.optional() }
const operation = z.int().min(1).max(999_999_999)
const branching = { turn, title: name.regex(/\S/).optional(), ...how }
const switching = { branch: name, turn: turn.optional(), ...how }

const id = z.string().regex(/^[0-9a-f]{32}$/)
const converse = {
  prompt: z.string().max(200_000),
  images: z
    .array(
      z.strictObject({
        type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
        data: z
          .string()
          .max(Math.ceil(MAX_IMAGE_BYTES / 3) * 4)
          .regex(/^[A-Za-z0-9+/]+={0,2}$/),
      }),
    )
    .max(MAX_IMAGES)
    .optional(),
  model: name.optional(),
  permissionMode: z
    .enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'])
    .optional(),
}

export const bodies = {
  launch: z.strictObject({
    code: z.string().min(1).max(128),
    key: z
      .string()
      .regex(/^[\w-]{80,200}$/)
      .optional(),
    name: name.optional(),
  }) satisfies z.ZodType<LaunchBody>,
  hooks: z.strictObject({ dryRun: z.boolean().optional() }) satisfies z.ZodType<HooksBody>,
  signIn: z.strictObject({
    browser: z.string().regex(params.browser),
    challenge: z.string().min(1).max(128),
    signature: z.string().regex(/^[\w-]{1,200}$/),
  }) satisfies z.ZodType<SignInBody>,
  back: z.strictObject(back) satisfies z.ZodType<BackBody>,
  undo: z.strictObject(undo) satisfies z.ZodType<UndoBody>,
  redo: z.strictObject(redo) satisfies z.ZodType<RedoBody>,
  rewind: z.strictObject(rewind) satisfies z.ZodType<RewindBody>,
  revert: z.strictObject(revert) satisfies z.ZodType<RevertBody>,
  restore: z.strictObject(restore) satisfies z.ZodType<RestoreBody>,
  branch: z.strictObject(branching) satisfies z.ZodType<NewBranchBody>,
  rewindSession: z.looseObject({ sessionId: name, rewindToTurn: turn, title: branching.title }),
  switch: z.strictObject(switching) satisfies z.ZodType<SwitchBody>,
  ofSession: z.strictObject(ofSession) satisfies z.ZodType<OfSession>,
  changeBranch: z.strictObject({
    name: name.optional(),
    archived: z.boolean().optional(),
    ...ofSession,
  }) satisfies z.ZodType<BranchBody>,
  changeSession: z.strictObject({
    title: name.optional(),
    archived: z.boolean().optional(),
  }) satisfies z.ZodType<SessionBody>,
  sessions: z.strictObject({ sessions }) satisfies z.ZodType<SessionsBody>,
  changeSessions: z.strictObject({
    sessions,
    archived: z.boolean(),
  }) satisfies z.ZodType<ArchiveBody>,
  setCheckpoint: z.strictObject({
    name: name.optional(),
    turn: turn.optional(),
  }) satisfies z.ZodType<CheckpointBody>,
  deleteCheckpoint: z.strictObject({ name }) satisfies z.ZodType<DeleteCheckpointBody>,
  restoreStash: z.strictObject(how) satisfies z.ZodType<How>,
  undoOperation: z.strictObject({
    session: name.optional(),
    ...how,
  }) satisfies z.ZodType<UndoOperationBody>,
  plan: z.discriminatedUnion('verb', [
    z.strictObject({ verb: z.literal('undo'), ...undo }),
    z.strictObject({ verb: z.literal('redo'), ...redo }),
    z.strictObject({ verb: z.literal('back'), ...back }),
    z.strictObject({ verb: z.literal('rewind'), ...rewind }),
    z.strictObject({ verb: z.literal('revert'), ...revert }),
    z.strictObject({ verb: z.literal('revert-files'), ...revertFiles }),
    z.strictObject({ verb: z.literal('restore'), ...restore }),
    z.strictObject({ verb: z.literal('switch'), ...switching }),
    z.strictObject({ verb: z.literal('branch'), ...branching }),
    z.strictObject({ verb: z.literal('op-undo'), operation, ...how }),
  ]) satisfies z.ZodType<PlanBody>,
  converse: z.strictObject(converse) satisfies z.ZodType<ConverseBody>,
  start: z.strictObject({ project: id, ...converse }) satisfies z.ZodType<StartBody>,
  approval: z.strictObject({
    allow: z.boolean(),
    always: z.boolean().optional(),
    reason: z.string().max(2000).optional(),
  }) satisfies z.ZodType<ApprovalBody>,
  voiceLine: z.strictObject({
    by: z.enum(['you', 'voice', 'retake']),
    text: z.string().regex(/\S/).max(20_000),
  }) satisfies z.ZodType<VoiceLineBody>,
  changeSetting: z.strictObject({
    // Not where speech goes: with that its key could be sent elsewhere.
    key: z.enum([
      'quota',
      'retention',
      'include',
      'branchLimit',
      'branchWarning',
      'autoArchiveDays',
      'plainUndo',
      'confirm',
      'maxFileSize',
      'voice',
    ]),
    words: z.array(z.string().max(400)).max(200),
  }) satisfies z.ZodType<SettingBody>,
  collectGarbage: z.strictObject({
    plan: z.string().regex(/^[0-9a-f]{32}$/),
  }) satisfies z.ZodType<CollectGarbageBody>,
  apply: z.strictObject({
    choices: z
      .record(z.string().min(1).max(4096), z.union([choice, z.array(choice).min(1).max(10_000)]))
      .optional(),
    confirmed: z.boolean().optional(),
  }) satisfies z.ZodType<ApplyBody>,
}

const reveal = z.literal('yes').optional()
const limit = z.coerce.number().int().min(1).max(100_000).optional()

export const queries = {
  page: z.strictObject({ limit, before: name.optional() }) satisfies z.ZodType<PageQuery>,
  compare: z.strictObject({
    a: name,
    b: name,
    ...ofSession,
    reveal,
  }) satisfies z.ZodType<CompareQuery>,
  moment: z.strictObject({
    turn: name,
    seq: z.coerce.number().int().min(0).optional(),
    reveal,
  }) satisfies z.ZodType<MomentQuery>,
  reveal: z.strictObject({ reveal }) satisfies z.ZodType<RevealQuery>,
  versions: z.strictObject({
    reveal,
    places: z
      .string()
      .max(100_000)
      .regex(/^(?:keep-mine|put-back|mark)(?:,(?:keep-mine|put-back|mark))*$/)
      .optional(),
  }) satisfies z.ZodType<VersionsQuery>,
  search: z.strictObject({ q: z.string().min(1).max(400), limit }) satisfies z.ZodType<SearchQuery>,
  projectFiles: z.strictObject({
    q: z.string().max(400).optional(),
    limit: z.coerce.number().int().min(1).max(200).optional(),
  }) satisfies z.ZodType<ProjectFilesQuery>,
  operation: z.strictObject({ ...ofSession, reveal }) satisfies z.ZodType<OperationQuery>,
  operations: z.strictObject({
    session: name.optional(),
    limit,
  }) satisfies z.ZodType<OperationsQuery>,
}

/** The engine's word for it. */
export function readReveal({ reveal }: RevealQuery): { reveal: boolean } {
  return { reveal: reveal === 'yes' }
}
