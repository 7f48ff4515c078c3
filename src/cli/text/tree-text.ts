import type { BranchReport, LogReport, TurnReport } from '#timeline'
import { count, type Paint } from './paint.ts'
import { promptOf } from './log-text.ts'

/**
 * The current line runs straight down. Other branches are indented below the turn they fork from;
 * archived ones are folded into one line. Turn numbers count along each branch's own line.
 */
export function treeText(report: LogReport, paint: Paint): string {
  const byId = new Map(report.turns.map((turn) => [turn.turn.id, turn]))
  const line = report.turns.filter(({ number }) => number !== null)
  const sides = sideBranches(report, byId)
  const { signs } = paint
  const drawSides = (fork: Fork, indent: string, isLast: boolean): string[] => {
    const all = sides.get(fork.id) ?? []
    // Continue the parent line's rail beside the branch, unless the parent line ends here.
    const rail = isLast ? '   ' : `${signs.line}  `
    const open = all.filter(({ branch }) => !branch.archived)
    const drawn = open.flatMap(({ branch, turns }) => [
      `${indent}${signs.fork} ${labelOf(branch, turns.length, paint)}`,
      ...turns.flatMap((turn, i) => {
        const depth = fork.depth + i + 1
        return [
          `${indent}${rail}${drawTurn(turn, depth, { isHead: false, paint, used: indent.length + 4 })}`,
          ...drawSides({ id: turn.turn.id, depth }, `${indent}${rail}`, i === turns.length - 1),
        ]
      }),
    ])
    const folded = all.filter(({ branch }) => branch.archived)
    if (folded.length === 0) return drawn
    const names = folded.map(({ branch }) => branch.label).join(', ')
    return [...drawn, `${indent}${signs.fork} ${paint.quiet(`${signs.fold} archived: ${names}`)}`]
  }
  const lines = drawSides({ id: null, depth: 0 }, ' ', line.length === 0)
  for (const [i, turn] of line.entries()) {
    const isHead = turn.turn.id === report.head
    lines.push(
      ` ${drawTurn(turn, i + 1, { isHead, paint, used: 0 })}`,
      ...drawSides({ id: turn.turn.id, depth: i + 1 }, ' ', i === line.length - 1),
    )
  }
  if (lines.length === 0) return paint.quiet('No turns.')
  const current = report.branches.find((branch) => branch.current)
  if (current === undefined || report.branches.length === 1) return lines.join('\n')
  return [` ${labelOf(current, line.length, paint)}`, ...lines].join('\n')
}

interface Fork {
  readonly id: string | null
  readonly depth: number
}

function labelOf({ label, canonical, fork }: BranchReport, turns: number, paint: Paint): string {
  const facts = [
    count(turns, 'turn'),
    // The trunk is the main branch by default, so only another branch is labelled.
    ...(canonical && fork !== null ? ['main branch'] : []),
  ]
  return `${paint.accent(label)}  ${paint.quiet(facts.join(` ${paint.signs.dot} `))}`
}

interface Side {
  readonly branch: BranchReport
  readonly turns: readonly TurnReport[]
}

/** The turns of each branch that are not on the current line, by the turn they fork from. */
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

function drawTurn(
  report: TurnReport,
  number: number,
  { isHead, paint, used }: { isHead: boolean; paint: Paint; used: number },
): string {
  const { signs } = paint
  const sign = isHead ? paint.accent(signs.head) : signs[report.state]
  const notes = [
    report.children > 1 ? `${signs.branch}${report.children}` : '',
    ...report.checkpoints.map((checkpoint) => `${signs.flag} ${checkpoint}`),
    isHead ? `${signs.here} you are here` : report.state === 'undone' ? 'undone' : '',
  ].filter((note) => note !== '')
  const prompt = promptOf(report, Math.max(20, paint.width - used - 44), paint)
  const text = `${sign} ${number}  ${prompt}${notes.map((note) => paint.quiet(`  ${note}`)).join('')}`
  return report.state === 'undone' ? paint.quiet(text) : text
}
