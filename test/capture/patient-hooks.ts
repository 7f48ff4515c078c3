import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from '../scene.ts'

const SLEEP = `#!/bin/sh
case $1 in
  0.002) exec /bin/sleep 0.05 ;;
  0.025) exec /bin/sleep 0.2 ;;
  *) exec /bin/sleep "$@" ;;
esac
`

/**
 * Lets the installed hooks wait for a look as long as a busy machine needs. They count their waits
 * by `sleep`, and give up after half a second; then the turn's changes are in doubt, as they should be.
 * Gives the environment for the agent.
 */
export async function makeHooksPatient(s: Scene): Promise<Record<string, string>> {
  const bin = join(s.root, 'patient')
  await s.write(join(bin, 'sleep'), SLEEP)
  await chmod(join(bin, 'sleep'), 0o755)
  const path = join(s.claudeDir, 'settings.json')
  const settings = await readFile(path, 'utf8')
  await writeFile(path, settings.replaceAll(/"timeout": ?5\b/g, '"timeout":60'))
  return { PATH: `${bin}:${s.env['PATH']}` }
}
