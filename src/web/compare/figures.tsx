import type { CompareView } from '#protocol'
import { Lines } from '../ui/badge.tsx'

type Sides = CompareView['sides']
type Figure = Sides[number]['figures']

const ROWS: readonly (readonly [string, (figures: Figure) => string])[] = [
  ['turns', ({ turns }) => number(turns)],
  ['steps', ({ steps }) => number(steps)],
  ['files changed', ({ files }) => number(files)],
  ['tokens written', ({ tokens }) => number(tokens.output)],
  ['tokens read', ({ tokens }) => number(tokens.input)],
  ['first to last prompt', ({ milliseconds }) => time(milliseconds)],
]

/** What each side did and cost after the fork. */
export function Figures({ sides }: { sides: Sides }) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Figures of both sides after the fork</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">First</th>
          <th scope="col">What</th>
          <th scope="col">Second</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([name, say]) => (
          <tr key={name} className="border-b border-line">
            <td className="tabular w-[45%] py-1 text-right">{say(sides[0].figures)}</td>
            <th
              scope="row"
              className="px-4 py-1 text-center text-xs font-normal whitespace-nowrap text-muted"
            >
              {name}
            </th>
            <td className="tabular w-[45%] py-1">{say(sides[1].figures)}</td>
          </tr>
        ))}
        <tr>
          <td className="py-1 text-right">
            <LineCounts {...sides[0].figures} />
          </td>
          <th
            scope="row"
            className="px-4 py-1 text-center text-xs font-normal whitespace-nowrap text-muted"
          >
            lines
          </th>
          <td className="py-1">
            <LineCounts {...sides[1].figures} />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function LineCounts({ added, removed }: Figure) {
  return added + removed === 0 ? '0' : <Lines added={added} removed={removed} />
}

function number(n: number): string {
  return n.toLocaleString('en')
}

function time(milliseconds: number | null): string {
  if (milliseconds === null) return 'not known'
  const minutes = Math.round(milliseconds / 60_000)
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 1000)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}
