import type { LogReport, TurnReport } from '#timeline'
import { count, type Paint } from './paint.ts'
import { promptOf } from './log-text.ts'

/** The current line straight down; every other branch indented below the turn it parts from. */
export function treeText(report: LogReport, paint: Paint): string {
  const byId = new Map(report.turns.map((turn) => [turn.turn.id, turn]))
  const line = report.turns.filter(({ number }) => number !== null)
  const sides = sideBranches(report, byId)
  const { signs } = paint
  const drawSides = (fork: string | null, indent: string, isLast: boolean): string[] =>
    (sides.get(fork) ?? []).flatMap(({ id, turns }) =>
      turns.flatMap((turn, i) => {
        // The rail of the line the branch parted from goes on beside it, while that line does.
        const rail = isLast ? '   ' : `${signs.line}  `
        const lead = i === 0 ? `${signs.fork} ` : rail
        const label = `  branch ${id.slice(0, 8)} ${signs.dot} ${count(turns.length, 'turn')}`
        const text = drawTurn(turn, false, paint, indent.length + 4)
        return [
          `${indent}${lead}${text}${i === 0 ? paint.quiet(label) : ''}`,
          ...drawSides(turn.turn.id, `${indent}${rail}`, i === turns.length - 1),
        ]
      }),
    )
  const lines = drawSides(null, ' ', line.length === 0)
  for (const [i, turn] of line.entries())
    lines.push(
      ` ${drawTurn(turn, turn.turn.id === report.head, paint, 0)}`,
      ...drawSides(turn.turn.id, ' ', i === line.length - 1),
    )
  return lines.length === 0 ? paint.quiet('No turns.') : lines.join('\n')
}

interface Side {
  readonly id: string
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
    sides.set(fork, [...(sides.get(fork) ?? []), { id: branch.id, turns }])
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
  const note = isHead ? `  ${signs.here} you are here` : report.state === 'undone' ? '  undone' : ''
  const prompt = promptOf(report, Math.max(20, paint.width - used - 44), paint)
  const text = `${sign} ${name}  ${prompt}${paint.quiet(note)}`
  return report.state === 'undone' ? paint.quiet(text) : text
}
