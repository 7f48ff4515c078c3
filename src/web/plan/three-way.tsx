import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { wordsForReason, type PlanView, type VersionsView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { usePreferences } from '../preferences.ts'
import { Diff } from '../turns/diff.tsx'
import { isTyping } from '../turns/turn-keys.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { ConflictChoice } from './conflict-choice.tsx'
import { Failed } from './failed.tsx'
import { Hidden } from '../ui/hidden.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { CHOICES, choiceLabel, whoChanged, type Choice, type FileView } from './plan-words.ts'
import { NoText, ThreeColumns } from './three-columns.tsx'
import type { Choosing } from './use-choices.ts'
import { columnsOf, whyNoText } from './version-words.ts'

interface ThreeWayProps {
  readonly plan: PlanView
  readonly file: FileView
  readonly choice: Choosing | undefined
  readonly onChoose: (choice: Choice) => void
  readonly onChoosePlace: (place: number, choice: Choice) => void
  /** Goes to the next or previous file in conflict, if any. */
  readonly onStep: (step: 1 | -1) => void
}

/** A file in conflict: before the turn, yours, after it; and the result of each choice. */
export function ThreeWay(props: ThreeWayProps) {
  const { plan, file } = props
  const [reveal, setReveal] = useState(false)
  const at = plan.files.indexOf(file)
  const { choice } = props
  const places =
    choice === undefined || typeof choice === 'string' || choice.includes(null)
      ? undefined
      : choice.join()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['plan-versions', plan.id, at, reveal, places],
    queryFn: () =>
      client().planVersions({
        plan: plan.id,
        file: String(at),
        ...(reveal ? { reveal: 'yes' as const } : {}),
        ...(places === undefined ? {} : { places }),
      }),
    // Keep the old result until that of the new choices is there.
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error !== null) return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <p role="status" className="py-6 text-sm text-muted">
        Reading the three versions…
      </p>
    )
  // Placeholder data belongs to other choices.
  const chosen = isPlaceholderData ? undefined : data.chosen
  return <Versions {...props} view={data} chosen={chosen} onReveal={() => setReveal(true)} />
}

interface VersionsProps extends ThreeWayProps {
  readonly view: VersionsView
  readonly chosen: VersionsView['chosen']
  readonly onReveal: () => void
}

function Versions(props: VersionsProps) {
  const { plan, file, choice, onChoose, onChoosePlace, onStep, view, chosen, onReveal } = props
  const columns = useMemo(() => columnsOf(view, plan), [view, plan])
  const { places, mark, place, go, show } = usePlaces(view, onStep)
  const byPlace = file.choices?.includes('mark') === true && places > 0
  const onPlace = useRef(onChoosePlace)
  useEffect(() => {
    onPlace.current = onChoosePlace
  })
  const chooser = useMemo(
    () =>
      byPlace
        ? {
            verb: plan.verb,
            chosen: (at: number) =>
              choice === undefined || typeof choice === 'string' ? null : (choice[at] ?? null),
            choose: (at: number, each: Choice) => onPlace.current(at, each),
          }
        : null,
    [byPlace, plan.verb, choice],
  )
  // If a conflict is focused, the keys choose for it, else for the file.
  useVersionKeys({
    go,
    choose(each) {
      if (file.choices?.includes(each) !== true) return
      if (byPlace && place !== null && places > 1) onChoosePlace(place, each)
      else onChoose(each)
    },
  })
  const region = useRef<HTMLDivElement>(null)
  // What had the focus disappeared with the plan.
  useEffect(() => {
    region.current?.focus({ preventScroll: true })
    show(0)
  }, [show])
  const isWhole = choice === undefined || typeof choice === 'string'
  const outcome = isWhole ? view.outcomes.find((each) => each.choice === choice) : chosen
  return (
    <div className="flex min-h-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <p className="min-w-0 flex-1">
          {sentence(wordsForReason(file.why ?? '', whoChanged(file, plan.session) ?? undefined))}{' '}
          Nothing is written yet.
        </p>
        <span aria-live="polite" className="tabular text-xs text-muted">
          {places === 0
            ? ''
            : place === null
              ? `${places} in conflict`
              : `${place + 1} of ${places}`}
        </span>
        <Button size="small" aria-label="Previous conflict" onClick={() => go(-1)}>
          <ChevronUp size={13} aria-hidden /> <Key>p</Key>
        </Button>
        <Button size="small" aria-label="Next conflict" onClick={() => go(1)}>
          <ChevronDown size={13} aria-hidden /> <Key>n</Key>
        </Button>
      </div>
      <div
        ref={region}
        role="region"
        aria-label={`Versions of ${file.path}`}
        tabIndex={0}
        className="relative max-h-[44vh] overflow-auto rounded-lg border border-line bg-sunken"
      >
        {view.hidden ? (
          <Hidden onReveal={onReveal} />
        ) : view.blocks === null ? (
          <NoText path={file.path} columns={columns} />
        ) : (
          <ThreeColumns
            path={file.path}
            columns={columns}
            blocks={view.blocks}
            who={whoChanged(file, plan.session)}
            mark={mark}
            chooser={chooser}
          />
        )}
      </div>
      {view.blocks !== null && (
        <p className="text-xs text-muted">
          <b className="font-mono text-warn">!</b> changed on both sides: conflict ·{' '}
          <b className="font-mono text-accent">~</b> changed on one side
        </p>
      )}
      <ConflictChoice
        file={file}
        verb={plan.verb}
        choice={choice}
        onChoose={onChoose}
        outcomes={view.outcomes}
      />
      <section aria-label="Result" className="rounded-lg border border-line">
        <h3 className="border-b border-line px-3 py-1.5 text-xs font-semibold">
          {choice === undefined
            ? 'Result: choose a version to see it here'
            : isWhole
              ? `What “${choiceLabel(choice, plan.verb)}” would write, against now`
              : outcome === undefined
                ? 'Result: choose for each conflict to see it here'
                : 'What your choices would write, against now'}
        </h3>
        {outcome !== undefined &&
          (choice === 'keep-mine' ? (
            <p className="px-3 py-2 text-xs text-muted">Nothing: the file stays as you have it.</p>
          ) : view.hidden ? (
            <Hidden onReveal={onReveal} />
          ) : outcome.after.state === 'absent' ? (
            <p className="px-3 py-2 text-xs">
              The file is removed. Retake keeps it: undoing this operation brings it back.
            </p>
          ) : outcome.hunks === null ? (
            <p className="px-3 py-2 text-xs">
              {whyNoText(outcome.after) ??
                `The text above under “${columns.find(({ side }) => side === 'theirs')!.title}”.`}
            </p>
          ) : (
            <Diff file={{ path: file.path, hunks: outcome.hunks }} />
          ))}
      </section>
    </div>
  )
}

function sentence(words: string): string {
  return words === '' ? '' : `${words[0]!.toUpperCase()}${words.slice(1)}.`
}

/** The conflicts of a file, one of them current. After the last one comes the next file. */
function usePlaces(view: VersionsView, onStep: (step: 1 | -1) => void) {
  const elements = useRef(new Map<number, HTMLElement>())
  const [place, setPlace] = useState<number | null>(null)
  const mark = useCallback((at: number, element: HTMLElement | null): void => {
    if (element === null) elements.current.delete(at)
    else elements.current.set(at, element)
  }, [])
  const places =
    view.blocks?.filter((block) => block.kind === 'lines' && block.change === 'conflict').length ??
    0
  const show = useCallback((at: number): HTMLElement | undefined => {
    const element = elements.current.get(at)
    const around = element?.offsetParent
    // Scroll only this region, not the dialog around it.
    if (element !== undefined && around instanceof HTMLElement)
      around.scrollTop = element.offsetTop - (around.clientHeight - element.offsetHeight) / 2
    return element
  }, [])
  const go = (step: 1 | -1): void => {
    const next = place === null ? (step === 1 ? 0 : places - 1) : place + step
    const element = show(next)
    if (element === undefined) return onStep(step)
    setPlace(next)
    element.focus({ preventScroll: true })
  }
  return { places, mark, place, go, show }
}

function useVersionKeys({
  go,
  choose,
}: {
  go: (step: 1 | -1) => void
  choose: (choice: Choice) => void
}): void {
  const { singleKeys } = usePreferences()
  useKeyDown((event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    // A focused radio button does not count as typing, so the keys still work after a click.
    const types = isTyping(target)
    if (!singleKeys || ctrlKey || metaKey || altKey || types) return
    const all = Object.keys(CHOICES) as Choice[]
    const chosen = all.find((each) => CHOICES[each].shortcut === key)
    if (key === 'n') go(1)
    else if (key === 'p') go(-1)
    else if (chosen === undefined) return
    else choose(chosen)
    event.preventDefault()
  })
}
