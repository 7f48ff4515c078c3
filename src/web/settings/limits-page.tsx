import coverage from '../../../docs/coverage.md?raw'
import { Markdown } from '../turns/markdown.tsx'

/** Without its title, and without links to other pages of the manual, which are not here. */
const TEXT = coverage
  .replace(/^# .*\n/, '')
  .replaceAll(/,\s+see \[[^\]]+\]\([\w-]+\.md[^)]*\)/g, '')
  .replaceAll(/\[([^\]]+)\]\((?:[\w-]+\.md)?#[^)]*\)/g, '$1')

/** What Retake cannot undo, as the manual says it: one place for the fact. */
export function LimitsPage() {
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl p-6 pb-16">
        <h1 className="mb-4 text-xl font-semibold tracking-tight">What Retake cannot undo</h1>
        <Markdown text={TEXT} />
      </div>
    </main>
  )
}
