import type { BranchReport, LogReport, TurnReport } from '#timeline'
import { count, type Paint } from './paint.ts'
import { promptOf } from './log-text.ts'

/**
 * The current line straight down; every other branch indented below the turn it parts from, with
 * its name. Archived ones are folded into one line.
 */
export function treeText(report: LogReport, paint: Paint): string {
  const byId = new Map(report.turns.map((turn) => [turn.turn.id, turn]))
  const line = report.turns.filter(({ number }) => number !== null)
  const sides = sideBranches(report, byId)
  const { signs } = paint
  const drawSides = (fork: string | null, indent: string, isLast: boolean): string[] => {
    const all = sides.get(fork) ?? []
    // The rail of the line the branch parted from goes on beside it, while that line does.
    const rail = isLast ? '   ' : `${signs.line}  `
    const folded = all.filter(({ branch }) => branch.archived)
    const drawn = all
      .filter(({ branch }) => !branch.archived)
      .flatMap(({ branch, turns }) =>
        turns.flatMap((turn, i) => {
          const label = i === 0 ? labelOf(branch, turns.length, paint) : ''
          const text = drawTurn(turn, false, paint, indent.length + 4)
          return [
            `${indent}${i === 0 ? `${signs.fork} ` : rail}${text}${label}`,
            ...drawSides(turn.turn.id, `${indent}${rail}`, i === turns.length - 1),
          ]
        }),
      )
    if (folded.length === 0) return drawn
    const names = folded.map(({ branch }) => branch.label).join(', ')
    const note = `${signs.fold} ${folded.length} archived: ${names}`
    return [...drawn, `${indent}${signs.fork} ${paint.quiet(note)}`]
  }
  const lines = drawSides(null, ' ', line.length === 0)
  for (const [i, turn] of line.entries())
    lines.push(
      ` ${drawTurn(turn, turn.turn.id === report.head, paint, 0)}`,
      ...drawSides(turn.turn.id, ' ', i === line.length - 1),
    )
  if (lines.length === 0) return paint.quiet('No turns.')
  const current = report.branches.find((branch) => branch.current)
  const title =
    current === undefined || report.branches.length === 1
      ? []
      : [
          ` ${paint.strong(current.label)}  ${paint.quiet(count(report.branches.length, 'branch', 'branches'))}`,
        ]
  return [...title, ...lines].join('\n')
}

function labelOf(branch: BranchReport, turns: number, paint: Paint): string {
  const facts = `${paint.signs.dot} ${count(turns, 'turn')}${branch.canonical && branch.fork !== null ? `, main line` : ''}`
  return `  ${paint.accent(branch.label)} ${paint.quiet(facts)}`
}

interface Side {
  readonly branch: BranchReport
  readonly turns: readonly TurnReport[]
}

/** What of each branch is not on the current line, by the turn it hangs on. */
function sideBranches(
  report: LogReport,
  byId: ReadonlyMap<string, TurnReport>,
): Map<string | null, Side[]> {
  const sides = new Map<string | null, Side[]>()
  for (const branch of report.branches) {
    const turns = branch.turns.map((id) => byId.get(id)!).filter(({ number }) => number === null)
    if (turns.length === 0) continue
    const fork = parentOf(byId, turns[0]!.turn.id)
    sides.set(fork, [...(sides.get(fork) ?? []), { branch, turns }])
  }
  return sides
}

function parentOf(byId: ReadonlyMap<string, TurnReport>, id: string): string | null {
  const parent = byId.get(id)!.turn.parent
  return parent !== null && byId.has(parent) ? parent : null
}

function drawTurn(report: TurnReport, isHead: boolean, paint: Paint, used: number): string {
  const { signs } = paint
  const sign = isHead ? paint.accent(signs.head) : signs[report.state]
  const name = report.number === null ? report.turn.id.slice(0, 8) : String(report.number)
  const notes = [
    report.children > 1 ? `${signs.branch}${report.children}` : '',
    ...report.checkpoints.map((checkpoint) => `${signs.flag} ${checkpoint}`),
    isHead ? `${signs.here} you are here` : report.state === 'undone' ? 'undone' : '',
  ].filter((note) => note !== '')
  const prompt = promptOf(report, Math.max(20, paint.width - used - 44), paint)
  const text = `${sign} ${name}  ${prompt}${notes.map((note) => paint.quiet(`  ${note}`)).join('')}`
  return report.state === 'undone' ? paint.quiet(text) : text
}
