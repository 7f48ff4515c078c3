/** What `retake doctor` found. */
export interface DoctorView {
  schema: 'retake.doctor/1'
  version: string
  /** Nothing is wrong; notes are not. */
  healthy: boolean
  findings: {
    about: string
    state: 'fine' | 'note' | 'wrong'
    says: string
    cure: string | null
  }[]
  /** What holds here: settings, directories, and what the terminal is taken for. */
  values: {
    name: string
    value: string | number | boolean | null | string[]
    from: 'default' | 'user' | 'environment'
    /** The variable, or the file. */
    where: string | null
  }[]
}

export function doctorView(
  version: string,
  findings: readonly DoctorView['findings'][number][],
  values: readonly DoctorView['values'][number][],
): DoctorView {
  return {
    schema: 'retake.doctor/1',
    version,
    healthy: findings.every(({ state }) => state !== 'wrong'),
    findings: findings.map(({ about, state, says, cure }) => ({ about, state, says, cure })),
    values: [...values],
  }
}
