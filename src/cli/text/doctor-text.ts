import type { DoctorView } from '#protocol'
import { count, pad, type Paint } from './paint.ts'

/** One line each; below what is wrong or worth knowing, what to do. */
export function doctorText({ findings }: DoctorView, paint: Paint): string {
  const lines = findings.flatMap(({ about, state, says, cure }) => {
    const sign = { fine: paint.added('ok'), note: paint.accent('--'), wrong: paint.warning('!!') }
    const line = `${sign[state]}  ${pad(about, 12)} ${says}`
    return cure === null ? [line] : [line, `    ${pad('', 12)} ${paint.quiet(cure)}`]
  })
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  return [...lines, '', wrong === 0 ? 'Nothing is wrong.' : `${count(wrong, 'problem')}.`].join(
    '\n',
  )
}
