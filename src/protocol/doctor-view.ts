import { wordRemedy, type Act, type Remedy, type Wording } from '#failure'

/** What `doctor` found. */
export interface DoctorView {
  schema: 'retake.doctor/1'
  version: string
  /** Nothing is wrong; notes do not count. */
  healthy: boolean
  findings: {
    about: string
    state: 'fine' | 'note' | 'wrong'
    says: string
    cure: string | null
    /** The cure as data, if it contains acts. */
    remedy?: readonly (string | Act)[]
  }[]
  /** The values in effect: settings, directories, and what the terminal was detected as. */
  values: {
    name: string
    value: string | number | boolean | null | string[]
    from: 'default' | 'user' | 'environment'
    /** The variable or the file that sets it. */
    where: string | null
  }[]
}

type Finding = Omit<DoctorView['findings'][number], 'cure' | 'remedy'> & {
  readonly cure: Remedy | null
}

export function doctorView(
  version: string,
  findings: readonly Finding[],
  values: readonly DoctorView['values'][number][],
  wording: Wording,
): DoctorView {
  return {
    schema: 'retake.doctor/1',
    version,
    healthy: findings.every(({ state }) => state !== 'wrong'),
    findings: findings.map(({ cure, ...said }) => ({
      ...said,
      cure: cure === null ? null : wordRemedy(cure, wording),
      ...(cure === null || typeof cure === 'string' ? {} : { remedy: cure }),
    })),
    values: [...values],
  }
}
