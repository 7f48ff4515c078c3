/**
 * The store holds everything Retake remembers about one project: contents by id, the ledger of
 * links, the cells, the operations. It is one SQLite database in a directory that only its owner
 * can access.
 *
 * Guarantees: a `write` that returned survives a power cut; contents are returned only if their
 * bytes match the id; a file that is damaged, foreign or of a newer format is never written to.
 * Only the holder of the writer lock may change the project's files.
 */
export {
  allCells,
  allMoves,
  cellsOfTurn,
  dropCell,
  putCells,
  putMove,
  type StoredCell,
} from './cells.ts'
export { openCache, type Cache, type CacheFormat } from './cache.ts'
export { checkStore, type CheckReport, type ContentDamage, type RecordDamage } from './check.ts'
export {
  contentIdOf,
  contentSize,
  dropContent,
  findContent,
  getContent,
  hasContent,
  listContents,
  setContentAside,
  putContent,
  putKnownContent,
  sweepLarge,
  keepContentAgain,
  type KeptContent,
  type ContentProblem,
} from './content.ts'
export {
  countSnapshotRows,
  dropSnapshot,
  dropSnapshotRow,
  putLeftOut,
  putSnapshotRecord,
  putSnapshotRow,
  readLeftOutPaths,
  readSnapshotRecord,
  readSnapshotRows,
  snapshotOf,
  storedGeneration,
  type SnapshotOf,
  type SnapshotRecord,
} from './snapshot-table.ts'
export { erase, erasePath, eraseTurns, type Erased } from './erase.ts'
export { all, one, readTogether, run, transact, type Database } from './database.ts'
export { openForeign } from './foreign-database.ts'
export {
  advanceLedger,
  appendLinks,
  latestLinks,
  linkedPaths,
  ledgerSeq,
  linksOfAuthor,
  linksOfPath,
  linksTouching,
  linksSince,
  type LinkAuthor,
  type NewLink,
  type StoredLink,
} from './links.ts'
export { doneOperations, findDone, newestDone, type DoneOperation } from './done-operations.ts'
export {
  getOperation,
  insertOperation,
  listOperations,
  markPruned,
  notePathLate,
  operationStates,
  operationsOfPath,
  setOperationState,
  setOutcomes,
  unfinishedOperations,
  type NewOperation,
  type Operation,
  type OperationPath,
  type OperationState,
} from './operations.ts'
export type { PlannedStep, RecordedStep, StepProgress, StepRunner } from './conversation-step.ts'
export { factsNamed, glanceFacts, type FactsMemory, type StoredFact } from './glance-facts.ts'
export { holdProcessLock } from './process-lock.ts'
export { readMoves, recordMove, type MovedProject } from './moved-projects.ts'
export { findProjectKey, listProjects, type KnownProject, type ProjectRoot } from './project-key.ts'
export {
  dropSessionFact,
  getLargeFact,
  getSessionFact,
  putSessionFact,
  sessionFacts,
  sessionsWithFact,
} from './session-facts.ts'
export { appendToLog, deleteLog, readLog } from './session-log.ts'
export {
  allGitMoves,
  allScans,
  dropShellStep,
  hasShellStep,
  lastScan,
  noteGitMoves,
  noteScan,
  noteSightings,
  oldestSighting,
  putShellSteps,
  shellStepsSince,
  stepsWithoutTurn,
  allSightings,
  forgetSightings,
  type Scan,
  type NotedMove,
  type ShellStep,
  type Sighting,
} from './sightings.ts'
export { contentsIn, referencedBy, type ReferencedBy, type Reference } from './references.ts'
export { compact, openStore, STORE_FORMAT, write, writeSoon, type Store } from './store.ts'
export { checkVaultRecords, findVault, openVault, writeVault, type Vault } from './vault.ts'
export {
  beginGeneration,
  checkVault,
  chunksOf,
  lastChunk,
  newestGeneration,
  noteFound,
  noteKept,
  noteLost,
  noteRescued,
  noteSession,
  putChunk,
  readKept,
  redactKept,
  vaultFiles,
  vaultSessions,
  type Lost,
  type VaultFile,
  type VaultProblem,
} from './vault-files.ts'
export { takeWriter, type Writer } from './writer-lock.ts'
export { shortDigest } from './short-digest.ts'
export { PURGED } from './erase-values.ts'
export { listWatchedElsewhere, recordWatched } from './watched-elsewhere.ts'
