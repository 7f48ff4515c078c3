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
}

export function doctorView(
  version: string,
  findings: readonly DoctorView['findings'][number][],
): DoctorView {
  return {
    schema: 'retake.doctor/1',
    version,
    healthy: findings.every(({ state }) => state !== 'wrong'),
    findings: findings.map(({ about, state, says, cure }) => ({ about, state, says, cure })),
  }
}
