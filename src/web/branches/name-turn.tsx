import { useMutation } from '@tanstack/react-query'
import { Flag, X } from 'lucide-react'
import { useState } from 'react'
import type { ReceiptView } from '#protocol'
import { client } from '../connection/connection.ts'
import { refreshSession } from '../connection/refresh.ts'
import { doneWords } from '../plan/plan-words.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import type { TurnView } from '../turns/read-line.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { notify } from '../ui/toasts.tsx'

interface NameTurnProps {
  readonly session: string
  readonly turn: TurnView
  readonly onClose: () => void
}

/** Gives a turn a checkpoint: a name that works wherever a turn number does. */
export function NameTurn({ session, turn, onClose }: NameTurnProps) {
  const [name, setName] = useState('')
  const done = (receipt: ReceiptView): void => {
    refreshSession(session, 'everything')
    notify({ kind: 'done', title: doneWords(receipt) })
    onClose()
  }
  const set = useMutation({
    mutationFn: () =>
      client().setCheckpoint({
        session,
        turn: turn.id,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      }),
    onSuccess: done,
    onError: (error) => showFailure(error),
  })
  const forget = useMutation({
    mutationFn: (old: string) => client().deleteCheckpoint({ session, name: old }),
    onSuccess: done,
    onError: (error) => showFailure(error),
  })
  return (
    <Dialog
      title={`Name turn ${turn.number ?? ''}`}
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">Leave empty for an automatic name.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => set.mutate()}>
            <Flag size={14} aria-hidden />
            Set checkpoint
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          set.mutate()
        }}
      >
        <p className="mb-3 line-clamp-2 text-sm text-muted">“{turn.prompt}”</p>
        <input
          data-autofocus
          aria-label="Name of the checkpoint"
          placeholder="works"
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="h-9 w-full rounded-md border border-line-strong bg-bg px-3 text-base placeholder:text-faint"
        />
      </form>
      {turn.checkpoints.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {turn.checkpoints.map((old) => (
            <li
              key={old}
              className="flex items-center gap-1 rounded-md border border-accent-line bg-accent-soft pl-2 text-sm"
            >
              <Flag size={12} aria-hidden className="text-accent" />
              {old}
              <Button
                variant="quiet"
                size="small"
                aria-label={`Delete checkpoint ${old}`}
                onClick={() => forget.mutate(old)}
              >
                <X size={13} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
