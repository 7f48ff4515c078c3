import type { DoctorView } from '#protocol'
import { count, pad, type Paint } from './paint.ts'

/** One line per finding, followed by the cure if it has one. */
export function doctorText({ findings, values }: DoctorView, paint: Paint): string {
  const lines = findings.flatMap(({ about, state, says, cure }) => {
    const sign = { fine: paint.added('ok'), note: paint.accent('--'), wrong: paint.warning('!!') }
    const line = `${sign[state]}  ${pad(about, 12)} ${says}`
    return cure === null ? [line] : [line, `    ${pad('', 12)} ${paint.quiet(cure)}`]
  })
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  const end = wrong === 0 ? 'No problems found.' : `${count(wrong, 'problem')}.`
  return [...lines, ...originsText(values, paint), '', end].join('\n')
}

/** Lists only values that the user set; defaults are not interesting. */
function originsText(values: DoctorView['values'], paint: Paint): string[] {
  const said = values.filter(({ from }) => from !== 'default')
  if (said.length === 0) return ['', paint.quiet('All settings have their default values.')]
  const width = Math.max(...said.map(({ name }) => name.length))
  return [
    '',
    'Overrides:',
    ...said.map(({ name, value, where }) => {
      const shown = Array.isArray(value) ? value.join(' ') : String(value)
      return `    ${pad(name, width)}  ${shown}  ${paint.quiet(`(${where})`)}`
    }),
  ]
}
