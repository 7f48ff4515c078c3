import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'

const examining = () => import('./doctor.ts')

export function addDoctor(program: Command): void {
  verb(program, 'doctor', 'check the installation and explain how to fix each problem').action(
    (flags: CommonFlags) =>
      withContext(flags, examining, (context, { doctor }) => doctor(context, packageJson.version)),
  )
}
