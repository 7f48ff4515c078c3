import { figuresOf, goals, type StatedGoal } from './goals.ts'
import {
  isReached,
  type BenchReport,
  type BenchRun,
  type Curve,
  type Figure,
  type Times,
} from './measured.ts'
import { peersAbout } from './peers-about.ts'

/** The whole report as Markdown, made only from the figures. */
export function renderReport(report: BenchReport): string {
  const curves = Object.values(report.benches).flatMap(({ curves = [] }) => curves)
  const parts = [
    '# Bench',
    ...circumstances(report),
    'Times are in milliseconds unless stated otherwise: the median, with quartiles in brackets. Compared programs ran in turn, round by round, so that a busy moment affects both. On other machines only the ratios mean something. The trees are generated: small files in nested packages, all committed, next to an ignored `node_modules`.',
    '## Goals',
    table(
      ['what', 'goal', 'measured', ''],
      goals.map((goal) => goalRow(goal, report)),
    ),
    ...missed(report),
  ]
  if (curves.length > 0) parts.push('## Growth', ...curves.flatMap(curveParts))
  parts.push('## All figures', ...Object.entries(report.benches).flatMap(benchParts))
  if (curves.some(({ lines }) => lines.some(({ isOurs }) => !isOurs)))
    parts.push(
      '## Commands of the other programs',
      'The commands that these programs run at each snapshot, as read in their sources, replayed without the programs. This leaves out everything else they do, and the libraries through which they start git, so the programs themselves take longer.',
      table(
        ['program', 'snapshot', 'restore'],
        peersAbout.map(({ who, snapshot, restore }) => [who, snapshot, restore]),
      ),
    )
  return `${parts.join('\n\n')}\n`
}

/** Date, machine and versions; several if parts ran separately. */
function circumstances({ benches }: BenchReport): string[] {
  const runs = Map.groupBy(Object.entries(benches), ([, { run }]) => run)
  return [...runs.keys()].toSorted().map((began) => {
    const entries = runs.get(began)!
    const { machine, versions } = entries[0]![1]
    const seconds = entries.reduce((sum, [, bench]) => sum + bench.seconds, 0)
    const names = entries.map(([name]) => name).join(', ')
    const of = runs.size === 1 ? 'one run of' : `${names}:`
    const about = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
    const loads = entries.map(([, { load }]) => load)
    return (
      `Made by \`npm run bench\` on ${began.slice(0, 10)}, ${of} ${minutesOf(seconds)}: ` +
      `${about.join(', ')}; ${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB, ` +
      `${machine.system}, ${machine.fileSystem}, load before each ${amount(Math.min(...loads))} to ` +
      `${amount(Math.max(...loads))}.`
    )
  })
}

function goalRow(stated: StatedGoal, report: BenchReport): string[] {
  const figures = figuresOf(stated, report)
  // The text before the colon distinguishes the figures of one goal.
  const measured = figures.map((figure) => {
    const [where, what] = figure.what.includes(': ')
      ? figure.what.split(': ', 2)
      : ['', figure.what]
    const one = figures.length === 1 ? '' : where === '' ? `${what}: ` : `${where}: `
    return one + shown(figure)
  })
  return [stated.what, stated.goal, measured.join('<br>') || '–', verdict(figures)]
}

function verdict(figures: readonly Figure[]): string {
  const states = figures.map(isReached)
  const reached = states.filter((state) => state === true).length
  if (states.every((state) => state === null)) return 'not measured'
  if (reached === states.length) return 'reached'
  return reached === 0 ? '**missed**' : `**${reached} of ${states.length} reached**`
}

function missed({ benches }: BenchReport): string[] {
  const lines = Object.entries(benches).flatMap(([name, { figures, failed }]) => [
    ...(failed === undefined ? [] : [`- ${name} could not be measured: ${failed}`]),
    ...figures.flatMap((figure) => {
      if (isReached(figure) === false)
        return [
          `- ${name}, ${figure.what}: ${shown(figure)}, the goal is ${bound(figure)}. ` +
            (figure.goal.why ?? 'The reason is not known yet.'),
        ]
      const broken = [figure.ours, figure.other].find((times) => times && 'failed' in times)
      if (broken === undefined || !('failed' in broken)) return []
      return [`- ${name}, ${figure.what}: not measured, ${broken.failed}`]
    }),
  ])
  return lines.length === 0 ? [] : ['## Missed, and why', lines.join('\n')]
}

function curveParts({ what, over, unit, lines }: Curve): string[] {
  const all = new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))
  const sizes = [...all].toSorted((a, b) => a - b)
  const heads = sizes.map((at) => `${at.toLocaleString('en')} ${over}`)
  const rows = lines.map(({ who, isOurs, points }) => [
    isOurs ? `**${who}**` : who,
    ...sizes.map((at) => {
      const point = points.find((each) => each.at === at)
      return point === undefined ? '–' : times(point)
    }),
  ])
  const rounds = lines.flatMap(({ points }) => points.map((point) => point.rounds))
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)]
  const many = least === most ? `${most}` : `${least} to ${most}`
  const title = `### ${what}${unit === 'ms' ? '' : `, ${unit}`}`
  return [title, table(['', ...heads], rows), `Rounds: ${many}.`]
}

function benchParts([name, { figures, run, seconds, failed }]: [string, BenchRun]): string[] {
  const title = `### ${name}`
  if (failed !== undefined) return [title, `It could not be measured: ${failed}`]
  const rows = figures.map((figure) => [
    figure.what,
    shown(figure),
    times(figure.ours),
    times(figure.other),
    rounds(figure),
    bound(figure),
    isReached(figure) === null ? '' : isReached(figure) === true ? 'reached' : '**missed**',
  ])
  const heads = ['what', 'figure', 'Retake', 'against', 'rounds', 'goal', '']
  return [title, `${run.slice(0, 10)}, ${seconds} seconds.`, table(heads, rows)]
}

function shown({ value, unit, note }: Figure): string {
  if (value === null) return 'not measured'
  const text = unit.startsWith('×') ? `${amount(value)}${unit}` : `${amount(value)} ${unit}`
  return note === undefined ? text.trim() : `${text.trim()} (${note})`
}

function bound({ goal, unit }: Figure): string {
  const at = 'most' in goal ? goal.most : goal.least
  if (at === null) return ''
  const text = unit.startsWith('×') ? `${at}×` : `${at} ${unit}`.trim()
  return `${'most' in goal ? '≤' : '≥'} ${text}`
}

function rounds({ ours, other }: Figure): string {
  const counts = [ours, other].flatMap((each) =>
    each === undefined || 'failed' in each ? [] : [each.rounds],
  )
  return [...new Set(counts)].join(' / ')
}

function times(each: Times | undefined): string {
  if (each === undefined || 'failed' in each) return '–'
  const { median, low, high, rounds } = each
  return rounds === 1 ? amount(median) : `${amount(median)} (${amount(low)}–${amount(high)})`
}

/** Rounds to significant digits. */
export function amount(value: number): string {
  if (value === 0) return '0'
  const digits = Math.abs(value) < 1 ? 2 : Math.abs(value) < 100 ? 1 : 0
  return Number(value.toFixed(digits)).toLocaleString('en', { maximumFractionDigits: digits })
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, heads.map(() => '---'), ...rows]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function minutesOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
