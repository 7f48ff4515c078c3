import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'

const examining = () => import('./doctor.ts')

export function addDoctor(program: Command): void {
  verb(program, 'doctor', 'check the installation and explain how to fix each problem')
    .option('--report', 'print versions, settings and sizes for a bug report, and nothing private')
    .action((flags: CommonFlags & { report?: true }) =>
      withContext(flags, examining, (context, { doctor }) =>
        doctor(context, { version: packageJson.version, report: flags.report === true }),
      ),
    )
}
