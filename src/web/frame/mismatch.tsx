import { ChevronDown, FileDiff, MessageSquare, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { PlanBody, StatusView } from '#protocol'
import { ask } from '../plan/planning.ts'
import type { Line } from '../turns/read-line.ts'
import { Button } from '../ui/button.tsx'

interface DifferingProps {
  readonly session: string
  readonly status: StatusView
  readonly line: Line
  readonly blocked: string | null
}

const NAMED = 6

/** Shown when files and chat are at different turns, with ways to make them match. */
export function Mismatch({ session, status, line, blocked }: DifferingProps) {
  const names = status.differing.map(({ number }) => number ?? 'on another branch')
  const shown = names.slice(0, NAMED).join(', ')
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  const { files, chat } = plansToMatch(line)
  return (
    <div className="mt-1.5 flex w-fit items-center gap-1.5 rounded-md border border-warn-line bg-warn-soft py-0.5 pr-0.5 pl-2 text-xs text-warn">
      <p>
        Files don’t match the chat (turn{names.length === 1 ? '' : 's'} {shown}
        {more})
      </p>
      {(files ?? chat) !== null && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger asChild>
            <Button size="small" variant="quiet" unavailable={blocked ?? undefined}>
              Fix…
              <ChevronDown size={12} aria-hidden />
            </Button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              className="z-40 min-w-60 animate-appear rounded-lg border border-line bg-surface p-1 shadow-high"
            >
              <Way
                icon={FileDiff}
                label="Move files to match the chat…"
                says="the conversation stays where it is"
                run={files === null ? null : () => ask({ session, body: files, byKey: true })}
              />
              <Way
                icon={MessageSquare}
                label="Move chat to match the files…"
                says="your files stay as they are"
                run={chat === null ? null : () => ask({ session, body: chat, byKey: true })}
              />
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
    </div>
  )
}

function Way({
  icon: Icon,
  label,
  says,
  run,
}: {
  icon: LucideIcon
  label: string
  says: string
  run: (() => void) | null
}) {
  if (run === null) return null
  return (
    <DropdownMenu.Item
      onSelect={run}
      className="flex cursor-default items-start gap-2.5 rounded-md px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
    >
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
      <span>
        {label}
        <span className="block text-xs text-muted">{says}</span>
      </span>
    </DropdownMenu.Item>
  )
}

/** The plans that make files and chat match; null where none does. */
export function plansToMatch({ turns, here }: Line): {
  files: PlanBody | null
  chat: PlanBody | null
} {
  const [head, first] = [turns[here], turns[0]]
  const to = (turn: string, before: boolean, only: 'files' | 'chat'): PlanBody => ({
    verb: 'rewind',
    turn,
    only,
    ...(before ? { before } : {}),
  })
  const files =
    head !== undefined
      ? to(head.id, false, 'files')
      : first === undefined
        ? null
        : to(first.id, true, 'files')
  const isIn = turns.findLastIndex(({ filesState, files: { length } }, at) => {
    return at > here && filesState === 'in' && length > 0
  })
  const isOut = turns.findIndex(({ filesState }, at) => at <= here && filesState === 'out')
  const chat =
    isIn !== -1
      ? to(turns[isIn]!.id, false, 'chat')
      : isOut !== -1
        ? to(turns[isOut]!.id, true, 'chat')
        : null
  return { files, chat }
}
