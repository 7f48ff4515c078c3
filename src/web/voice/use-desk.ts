import { useEffect, useRef, useState } from 'react'
import { answerApproval, sendPrompt, type RunView } from '../composer/run.ts'
import { client } from '../connection/connection.ts'
import { refreshSession } from '../connection/refresh.ts'
import { goBack, whyNotBack, type BackFrom } from '../plan/go-back.ts'
import { ask, stopAsking, usePlanning } from '../plan/planning.ts'
import { showReceipt } from '../plan/show-receipt.tsx'
import type { Desk, PlanAnswer } from './carry-out.ts'

/** What the page shows now. Commands act on this, not on an earlier render. */
export interface Shown extends BackFrom {
  readonly run: RunView
}

/** The page as commands use it; the same object while the session is shown. */
export function useDesk(shown: Shown): Desk {
  const now = useRef(shown)
  useEffect(() => {
    now.current = shown
  })
  const [desk] = useState(() => makeDesk(shown.session, () => now.current))
  return desk
}

function makeDesk(session: string, now: () => Shown): Desk {
  return {
    session,
    get client() {
      return client()
    },
    whyNotBack: () => whyNotBack(now()),
    goBack: () => goBack(now()),
    showPlan: (body) => ask({ session, body, byKey: true }),
    answerPlan: (yes) => (usePlanning.getState().wanted === null ? null : answerPlan(yes)),
    approvals: () => now().run.approvals,
    answerApproval,
    sendPrompt: (prompt) => void sendPrompt(session, prompt),
    show(receipt) {
      refreshSession(session, 'everything')
      showReceipt(receipt, now().project)
    },
    async log(by, text) {
      await client().appendToVoiceLog({ session, by, text })
    },
    last: null,
  }
}

async function answerPlan(yes: boolean): Promise<PlanAnswer> {
  if (!yes) {
    stopAsking()
    return { kind: 'cancelled' }
  }
  const { decision } = usePlanning.getState()
  if (decision === null) return { kind: 'not-yet', why: 'The plan is not ready yet.' }
  if (decision.undecided > 0)
    return { kind: 'not-yet', why: 'Decide about the files that are in conflict first.' }
  return { kind: 'done', receipt: await decision.carryOut() }
}
