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
 * Makes the installed hooks wait for a scan as long as a busy machine needs. They count calls of
 * `sleep` and give up after half a second, which rightly makes the turn's changes unsure. Returns
 * the environment for the agent.
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
