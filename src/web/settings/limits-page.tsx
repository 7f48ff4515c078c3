import coverage from '../../../docs/coverage.md?raw'
import { Markdown } from '../turns/markdown.tsx'

/** Without the title, and without links to manual pages that the page does not have. */
const TEXT = coverage
  .replace(/^# .*\n/, '')
  .replaceAll(/,\s+see \[[^\]]+\]\([\w-]+\.md[^)]*\)/g, '')
  .replaceAll(/\[([^\]]+)\]\((?:[\w-]+\.md)?#[^)]*\)/g, '$1')

/** What Retake cannot undo, taken from the manual so that it is written only once. */
export function LimitsPage() {
  return (
    // Without a link in the text, only a focus of its own lets the keyboard scroll it.
    <main className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl p-6 pb-16">
        <h1 className="mb-4 text-xl font-semibold tracking-tight">What Retake cannot undo</h1>
        <Markdown text={TEXT} />
      </div>
    </main>
  )
}
