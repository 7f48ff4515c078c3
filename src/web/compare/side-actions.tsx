import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, Crown, SquareArrowOutUpRight } from 'lucide-react'
import type { BranchesView, CompareView } from '#protocol'
import { client, useIsUp } from '../connection/connection.ts'
import { refreshSession } from '../connection/queries.ts'
import { ask } from '../plan/planning.ts'
import { tellFailure, tellReceipt } from '../plan/tell-receipt.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'

interface SideActionsProps {
  readonly side: CompareView['sides'][number]
  readonly name: string
  /** The session that is looked at. */
  readonly home: string
  readonly branches: BranchesView | undefined
}

/** What one side is, and what can be done with the whole of it. */
export function SideActions({ side, name, home, branches }: SideActionsProps) {
  const isUp = useIsUp()
  const branch = branches?.branches.find(({ id }) => id === side.branch.id)
  const canonical = useMutation({
    mutationFn: () => client().makeCanonical({ branch: side.branch.id, session: side.session }),
    onSuccess(receipt) {
      refreshSession(side.session, 'everything')
      tellReceipt(receipt, null)
    },
    onError: (error) => tellFailure(error),
  })
  const isHome = side.session === home
  const offline = isUp ? null : 'Retake is not connected.'
  const { tip } = side
  const isHere = branch?.current === true
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <span className="min-w-0 truncate">{name}</span>
        {isHere && <Badge>here</Badge>}
        {branch?.canonical === true && <Badge tone="accent">main line</Badge>}
      </h2>
      <div className="flex flex-wrap gap-2">
        {isHome ? (
          <Button
            size="small"
            unavailable={
              isHere && side.kind === 'branch'
                ? 'The session stands on this branch.'
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
            <ArrowLeftRight size={13} aria-hidden />
            Switch to {name}
          </Button>
        ) : (
          <Link
            to="/s/$session"
            params={{ session: side.session }}
            className="inline-flex h-6 items-center gap-1 rounded-md border border-line-strong bg-surface px-2 text-xs font-medium shadow-low hover:bg-hover"
          >
            <SquareArrowOutUpRight size={13} aria-hidden />
            Open {name}
          </Link>
        )}
        {isHome && side.kind === 'branch' && (
          <Button
            size="small"
            unavailable={
              branch?.canonical === true ? 'It is the main line already.' : (offline ?? undefined)
            }
            onClick={() => canonical.mutate()}
          >
            <Crown size={13} aria-hidden />
            Make it the main line
          </Button>
        )}
      </div>
    </section>
  )
}
