import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'

export function addDoctor(program: Command): void {
  verb(program, 'doctor', 'look at everything Retake needs; each problem with its cure').action(
    (flags: CommonFlags) =>
      within(flags, async (context) => {
        const { doctor } = await import('./doctor.ts')
        await doctor(context, packageJson.version)
      }),
  )
}
