import { z } from '@hono/zod-openapi'
import { MAX_IMAGE_BYTES, MAX_IMAGES, moving, verbsOn } from '#protocol'
import type {
  ApplyBody,
  ApprovalBody,
  ArchiveBody,
  BodyOf,
  BranchBody,
  CompareQuery,
  HooksBody,
  MoveOptions,
  ConverseBody,
  LaunchBody,
  OfSession,
  OperationQuery,
  OperationsQuery,
  PageQuery,
  PlanBody,
  ProjectFilesQuery,
  RevealQuery,
  MomentQuery,
  CollectGarbageBody,
  SearchQuery,
  SettingBody,
  SessionBody,
  SessionsBody,
  SignInBody,
  StartBody,
  UndoOperationBody,
  VerbOn,
  VersionsQuery,
  VoiceLineBody,
} from '#protocol'
import { argumentsOf, bodyOf, choice, commandOf, name, sessionIds } from './command-schemas.ts'

/**
 * The schemas of all requests. They refuse unknown keys, because ignoring a misspelled `expectHead`
 * would undo twice. Names are looked up, never opened: no path, command or content comes from a
 * client.
 */

/** Parameters in a route's path. None of them ever reaches the file system. */
export const params = {
  // Each agent has its own format: UUIDs, `ses_…`.
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

const how = argumentsOf(moving) as { [Key in keyof MoveOptions]-?: z.ZodType<MoveOptions[Key]> }
const ofSession = { session: name.optional() }

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

/** One for each verb with its own route. */
const oneShot = Object.fromEntries(verbsOn('http').map((verb) => [verb, bodyOf(verb)])) as {
  [Name in VerbOn<'http'>]: z.ZodType<BodyOf<Name>>
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
  ...oneShot,
  branch: bodyOf('branch'),
  rewindSession: z.looseObject({
    sessionId: name,
    rewindToTurn: z.union([name, z.int().min(0)]),
    title: name.regex(/\S/).optional(),
  }),
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
  sessions: z.strictObject({ sessions: sessionIds }) satisfies z.ZodType<SessionsBody>,
  changeSessions: z.strictObject({
    sessions: sessionIds,
    archived: z.boolean(),
  }) satisfies z.ZodType<ArchiveBody>,
  setCheckpoint: bodyOf('checkpoint'),
  deleteCheckpoint: bodyOf('checkpoint-delete'),
  restoreStash: z.strictObject(how) satisfies z.ZodType<MoveOptions>,
  undoOperation: z.strictObject({
    session: name.optional(),
    ...how,
  }) satisfies z.ZodType<UndoOperationBody>,
  plan: z.discriminatedUnion(
    'verb',
    verbsOn('plan').map((verb) => commandOf(verb)) as never,
  ) as unknown as z.ZodType<PlanBody>,
  converse: z.strictObject(converse) satisfies z.ZodType<ConverseBody>,
  start: z.strictObject({
    agent: name.optional(),
    project: id,
    ...converse,
  }) satisfies z.ZodType<StartBody>,
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
    // Not `voiceUrl`: it could send the speech key elsewhere.
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

/** The query as the engine's option. */
export function readReveal({ reveal }: RevealQuery): { reveal: boolean } {
  return { reveal: reveal === 'yes' }
}
