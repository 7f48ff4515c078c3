import type { AgentView } from '#protocol'
import { forSession } from '#protocol'
import { InlineCode } from '../plan/inline-code.tsx'

/** Instead of the field for the next prompt: Retake cannot run this agent. */
export function NotRun({ agent, session }: { agent: AgentView; session: string }) {
  const { name, resume } = agent
  return (
    <section aria-label="Next prompt" className="border-t border-line bg-bg px-5 py-3">
      <p className="mx-auto max-w-3xl text-sm text-muted">
        <InlineCode
          text={`Retake cannot run ${name}. Continue in a terminal: \`${forSession(resume, session)}\``}
        />
      </p>
    </section>
  )
}
