import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, Crown, SquareArrowOutUpRight } from 'lucide-react'
import type { BranchesView, CompareView } from '#protocol'
import { client, useIsUp } from '../connection/connection.ts'
import { refreshSession } from '../connection/refresh.ts'
import { ask } from '../plan/planning.ts'
import { showFailure, showReceipt } from '../plan/show-receipt.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, linkStyle } from '../ui/button.tsx'

interface SideActionsProps {
  readonly side: CompareView['sides'][number]
  readonly name: string
  /** The session that the page was opened for. */
  readonly home: string
  readonly branches: BranchesView | undefined
}

/** One side's name, and what can be done with the whole side. */
export function SideActions({ side, name, home, branches }: SideActionsProps) {
  const isUp = useIsUp()
  const branch = branches?.branches.find(({ id }) => id === side.branch.id)
  const canonical = useMutation({
    mutationFn: () => client().makeCanonical({ branch: side.branch.id, session: side.session }),
    onSuccess(receipt) {
      refreshSession(side.session, 'everything')
      showReceipt(receipt, null)
    },
    onError: (error) => showFailure(error),
  })
  const isHome = side.session === home
  const offline = isUp ? null : 'Retake is not connected.'
  const { tip } = side
  const isHere = branch?.current === true
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <h2 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
        <span className="min-w-0 truncate">{name}</span>
        {isHere && <Badge>here</Badge>}
        {branch?.canonical === true && <Badge tone="accent">main branch</Badge>}
      </h2>
      <div className="flex flex-wrap gap-2">
        {isHome ? (
          <Button
            size="small"
            className="max-w-full shrink"
            unavailable={
              isHere && side.kind === 'branch'
                ? 'The session is on this branch.'
                : (offline ?? undefined)
            }
            onClick={() =>
              ask({
                session: home,
                body:
                  isHere && tip !== null
                    ? { verb: 'rewind', turn: tip }
                    : {
                        verb: 'switch',
                        branch: side.branch.id,
                        ...(tip === null ? {} : { turn: tip }),
                      },
              })
            }
          >
            <ArrowLeftRight size={13} aria-hidden className="shrink-0" />
            <span className="truncate">Switch to {name}</span>
          </Button>
        ) : (
          <Link to="/s/$session" params={{ session: side.session }} className={linkStyle('small')}>
            <SquareArrowOutUpRight size={13} aria-hidden />
            Open {name}
          </Link>
        )}
        {isHome && side.kind === 'branch' && (
          <Button
            size="small"
            unavailable={
              branch?.canonical === true
                ? 'This is already the main branch.'
                : (offline ?? undefined)
            }
            onClick={() => canonical.mutate()}
          >
            <Crown size={13} aria-hidden />
            Make it the main branch
          </Button>
        )}
      </div>
    </section>
  )
}
