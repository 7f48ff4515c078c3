import { ShieldQuestion } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Approval } from '#timeline'
import { usePreferences } from '../preferences.ts'
import { isTyping } from '../turns/turn-keys.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { ApprovalInput } from './approval-input.tsx'
import { answerApproval, type RunView } from './run.ts'

/** Requests that the agent waits for. Keys answer the first one. */
export function Approvals({ run }: { run: RunView }) {
  return run.approvals.map((approval, at) => (
    <One key={approval.id} approval={approval} isFirst={at === 0} />
  ))
}

function One({ approval, isFirst }: { approval: Approval; isFirst: boolean }) {
  const [why, setWhy] = useState<string | null>(null)
  const { id, tool, title, canAlways } = approval
  const section = useRef<HTMLElement>(null)
  const reason = why === null || why.trim() === '' ? {} : { reason: why.trim() }
  const allow = (): void => void answerApproval(id, { allow: true })
  const always = (): void => void answerApproval(id, { allow: true, always: true })
  const deny = (): void => void answerApproval(id, { allow: false, ...reason })
  useFocusWhileAsked(section, isFirst)
  useAnswerKeys(isFirst, { y: allow, n: deny, ...(canAlways ? { a: always } : {}) })
  return (
    <section
      ref={section}
      tabIndex={-1}
      role="alertdialog"
      aria-label={`Allow ${tool}?`}
      className="animate-appear rounded-xl border border-accent-line bg-accent-soft p-3.5 outline-none"
    >
      <p className="flex items-center gap-2 text-sm font-medium">
        <ShieldQuestion size={16} aria-hidden className="text-accent" />
        {title ?? `Allow ${tool}?`}
      </p>
      <ApprovalInput approval={approval} />
      {approval.why !== null && <p className="mt-1.5 text-xs text-muted">{approval.why}</p>}
      {why !== null && (
        <input
          autoFocus
          aria-label="Why not"
          placeholder="Tell the agent why, or what to do instead"
          value={why}
          onChange={(event) => setWhy(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') deny()
          }}
          className="mt-2 h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm"
        />
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="primary" onClick={allow}>
          Allow {isFirst && <Key>y</Key>}
        </Button>
        {canAlways && <Button onClick={always}>Always allow {isFirst && <Key>a</Key>}</Button>}
        <Button onClick={deny}>Deny {isFirst && <Key>n</Key>}</Button>
        {why === null && (
          <Button variant="quiet" onClick={() => setWhy('')}>
            Deny and say why
          </Button>
        )}
      </div>
    </section>
  )
}

/** Focuses the question if the user is not typing, and the prompt field again after the answer. */
function useFocusWhileAsked(section: RefObject<HTMLElement | null>, isFirst: boolean): void {
  useEffect(() => {
    const prompt = document.querySelector<HTMLTextAreaElement>('[data-prompt]')
    const element = section.current
    const isFree = document.activeElement === document.body
    const isWaiting = document.activeElement === prompt && prompt?.value === ''
    if (isFirst && (isFree || isWaiting)) element?.focus({ preventScroll: true })
    return () => {
      if (element?.contains(document.activeElement)) prompt?.focus({ preventScroll: true })
    }
  }, [section, isFirst])
}

/** Milliseconds. A key pressed before the question appeared must not answer it. */
const TOO_SOON = 300

function useAnswerKeys(on: boolean, answers: Readonly<Record<string, () => void>>): void {
  const { singleKeys } = usePreferences()
  const since = useRef(0)
  useLayoutEffect(() => {
    since.current = performance.now()
  }, [on])
  useKeyDown((event) => {
    if (!on || !singleKeys) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    const isEarly = performance.now() - since.current < TOO_SOON
    if (isEarly || !Object.hasOwn(answers, event.key)) return
    event.preventDefault()
    answers[event.key]!()
  })
}
