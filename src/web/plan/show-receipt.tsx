import { wordRemedy } from '#failure'
import { reopenWords, type ReceiptView } from '#protocol'
import { groupKept, sayLeft, wordsForLeft, type Reopen, shortId } from '#timeline'
import { withBranchNames } from '../branches/branch-name.ts'
import { useAgent } from '../connection/agents.ts'
import { client, failureFrom } from '../connection/connection.ts'
import { editorLink } from '../preferences.ts'
import { offerPrompt, withdrawPrompt } from '../composer/draft.ts'
import { onPage } from '../ui/page-words.ts'
import { notify } from '../ui/toasts.tsx'
import { InlineCode } from './inline-code.tsx'
import { doneWords } from './plan-words.ts'

/** Reports what was done to each file, offers to undo it, and offers an undone prompt again. */
export function showReceipt(
  receipt: ReceiptView,
  project: string | null,
  /** Files in which the user chose to keep both versions. */
  marked: readonly string[] = [],
): void {
  const { operation, filesReverted, filesKept, left, warnings = [], prompt, session } = receipt
  if (prompt !== undefined && receipt.turnsUndone > 0) offerPrompt(session, prompt)
  else if (receipt.nothing === undefined) withdrawPrompt(session)
  const isPlain = [filesReverted, filesKept, left, warnings].every(({ length }) => length === 0)
  notify({
    kind: 'done',
    title: doneWords(withBranchNames(receipt)),
    ...(isPlain &&
    receipt.continues === undefined &&
    receipt.reopen === undefined &&
    receipt.conversation !== 'pending'
      ? {}
      : { body: <Files receipt={receipt} project={project} marked={marked} /> }),
    ...(operation === null || receipt.nothing !== undefined
      ? {}
      : { action: { label: 'Undo', run: () => void undoReceipt(receipt, project) } }),
  })
}

const SHOWN = 5

function Files({
  receipt,
  project,
  marked,
}: {
  receipt: ReceiptView
  project: string | null
  marked: readonly string[]
}) {
  const { filesReverted, filesKept, conversation, continues } = receipt
  // Name each file once, in the most specific group.
  const changed = filesReverted.filter((path) => !marked.includes(path))
  const merged = filesKept.filter((path) => changed.includes(path))
  const kept = filesKept.filter((path) => !filesReverted.includes(path) && !marked.includes(path))
  const plain = changed.filter((path) => !merged.includes(path))
  return (
    <>
      <Named says="Resolve the conflict markers in" paths={marked} project={project} />
      <Named says="Changed" paths={plain} project={project} />
      {groupKept({ ...receipt, filesKept: merged }, receipt.session).map(([who, paths]) => (
        <Named
          key={who}
          says={`Changed, with ${who === null ? 'your edits' : `the edits of ${who}`} kept`}
          paths={paths}
          project={project}
        />
      ))}
      {groupKept({ ...receipt, filesKept: kept }, receipt.session).map(([who, paths]) => (
        <Named
          key={who}
          says={who === null ? 'Left as you have it' : `Left as ${who} has it`}
          paths={paths}
          project={project}
        />
      ))}
      {continues !== undefined && (
        <p>
          {continues.because}: the conversation continues in a new session, “{continues.title}”.
        </p>
      )}
      {receipt.reopen !== undefined && <Reopened reopen={receipt.reopen} to={receipt.to} />}
      {conversation === 'pending' && (receipt.reopen?.state ?? 'stays') === 'stays' && (
        <p>The conversation moves when the agent’s terminal is closed.</p>
      )}
      <Left receipt={receipt} />
    </>
  )
}

/** Everything that stays, and every warning of the plan: a long list scrolls (sem.A5). */
function Left({ receipt: { left, warnings = [] } }: { receipt: ReceiptView }) {
  if (left.length + warnings.length === 0) return null
  return (
    <ul
      aria-label="Left as it is"
      tabIndex={0}
      className="max-h-48 overflow-y-auto [&>li]:break-words"
    >
      {warnings.map((warning) => (
        <li key={warning}>
          Note: <InlineCode text={warning} />
        </li>
      ))}
      {left.map((each) => (
        <li key={wordsForLeft(each)}>
          Left as it is: <InlineCode text={wordRemedy(sayLeft(each), onPage)} />
        </li>
      ))}
    </ul>
  )
}

function Reopened({ reopen, to }: Pick<ReceiptView, 'to'> & { reopen: Reopen }) {
  const { name } = useAgent()
  const turn = to === null ? null : String(to.number ?? shortId(to.id))
  return <p>{reopenWords(reopen, { agent: name, turn })}</p>
}

function Named({
  says,
  paths,
  project,
}: {
  says: string
  paths: readonly string[]
  project: string | null
}) {
  if (paths.length === 0) return null
  return (
    <>
      <p>{says}:</p>
      <ul className="mb-1 pl-2">
        {paths.slice(0, SHOWN).map((path) => (
          <li key={path} className="truncate font-mono">
            <FileLink path={path} project={project} />
          </li>
        ))}
        {paths.length > SHOWN && <li>and {paths.length - SHOWN} more</li>}
      </ul>
    </>
  )
}

export function FileLink({ path, project }: { path: string; project: string | null }) {
  const link = editorLink(project === null || path.startsWith('/') ? path : `${project}/${path}`)
  if (link === null) return path
  return (
    <a href={link} title="Open in your editor" className="text-ink underline underline-offset-2">
      {path}
    </a>
  )
}

async function undoReceipt(receipt: ReceiptView, project: string | null): Promise<void> {
  try {
    const done = await client().undoOperation({
      operation: String(receipt.operation),
      session: receipt.session,
      confirmed: true,
    })
    showReceipt(done, project)
  } catch (error) {
    showFailure(error)
  }
}

export function showFailure(error: unknown, retry?: () => void): void {
  const failure = failureFrom(error)
  notify({
    kind: 'failed',
    title: failure.message,
    ...(failure.hint === undefined ? {} : { body: wordRemedy(failure.hint, onPage) }),
    ...(retry === undefined ? {} : { action: { label: 'Try again', run: retry } }),
  })
}
