import type { ReceiptView } from '#protocol'
import { wordsForLeft } from '#timeline'
import { client, failureFrom } from '../connection/connection.ts'
import { editorLink } from '../preferences.ts'
import { offerPrompt } from '../composer/draft.ts'
import { notify } from '../ui/toasts.tsx'
import { count } from '../words.ts'
import { doneWords } from './plan-words.ts'

/** Says what was done, file by file, offers to take it back, and offers an undone prompt again. */
export function tellReceipt(receipt: ReceiptView, project: string | null): void {
  const { operation, filesReverted, prompt, session } = receipt
  if (prompt !== undefined && receipt.turnsUndone > 0) offerPrompt(session, prompt)
  notify({
    kind: 'done',
    title: doneWords(receipt),
    ...(filesReverted.length === 0 && receipt.left.length === 0 && receipt.continues === undefined
      ? {}
      : { body: <Files receipt={receipt} project={project} /> }),
    ...(operation === null || receipt.nothing !== undefined
      ? {}
      : { action: { label: 'Undo', run: () => void takeBack(receipt, project) } }),
  })
}

const SHOWN = 5

function Files({ receipt, project }: { receipt: ReceiptView; project: string | null }) {
  const { filesReverted, filesKept, left, conversation, continues } = receipt
  return (
    <>
      <ul>
        {filesReverted.slice(0, SHOWN).map((path) => (
          <li key={path} className="truncate font-mono">
            <FileLink path={path} project={project} />
          </li>
        ))}
      </ul>
      {filesReverted.length > SHOWN && <p>and {filesReverted.length - SHOWN} more</p>}
      {filesKept.length > 0 && <p>Your edits in {count(filesKept.length, 'file')} stay.</p>}
      {continues !== undefined && (
        <p>
          {continues.because}: the conversation continues in a new session, “{continues.title}”.
        </p>
      )}
      {conversation === 'pending' && (
        <p>The conversation follows when the agent’s terminal ends.</p>
      )}
      {left.slice(0, SHOWN).map((each) => (
        <p key={wordsForLeft(each)} className="break-words">
          Left as it is: {wordsForLeft(each)}
        </p>
      ))}
      {left.length > SHOWN && <p>and {left.length - SHOWN} more left as they are</p>}
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

async function takeBack(receipt: ReceiptView, project: string | null): Promise<void> {
  try {
    const done = await client().undoOperation({
      operation: String(receipt.operation),
      session: receipt.session,
      confirmed: true,
    })
    offerPrompt(receipt.session, '')
    tellReceipt(done, project)
  } catch (error) {
    tellFailure(error)
  }
}

export function tellFailure(error: unknown, retry?: () => void): void {
  const failure = failureFrom(error)
  notify({
    kind: 'failed',
    title: failure.message,
    ...(failure.hint === undefined ? {} : { body: failure.hint }),
    ...(retry === undefined ? {} : { action: { label: 'Try again', run: retry } }),
  })
}
