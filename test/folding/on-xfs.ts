import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repository, vitestCommand, type VolumeRun } from './volume-run.ts'

/**
 * Runs tests in a Linux kernel that is an ordinary program, because the machine's own may not know
 * the file system, and mounting would need root. Its root is that of this machine.
 */
export async function onXfs({ directory, files }: VolumeRun): Promise<number> {
  const [disk, mount] = [join(directory, 'disk'), join(directory, 'mount')]
  const [start, code] = [join(directory, 'start'), join(directory, 'code')]
  mkdirSync(mount)
  writeFileSync(disk, '')
  execFileSync('truncate', ['--size', '1G', disk])
  execFileSync('mkfs.xfs', ['-q', '-n', 'version=ci', disk])
  writeFileSync(start, script({ mount, code, command: vitestCommand(files) }), { mode: 0o755 })
  writeFileSync(code, '1\n')
  const options = ['mem=2G', `ubd0=${disk}`, 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/']
  const rest = ['rw', 'con=null', 'con0=fd:0,fd:1', 'quiet', 'loglevel=0', `init=${start}`]
  const child = spawn('linux.uml', [...options, ...rest], {
    // The kernel's memory is a file here.
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'close')
  return Number(readFileSync(code, 'utf8'))
}

/** Variables that change what is tested. */
const PASSED_ON = ['SEED', 'RUNS', 'PLATFORM', 'LONG', 'QUICK', 'TEST_CODEX']

function script(run: { mount: string; code: string; command: readonly string[] }): string {
  const set = Object.entries({
    PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: process.env['HOME'],
    TMPDIR: run.mount,
    // Its console is a terminal, on which vitest would draw.
    CI: 'true',
    ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
  })
  const exports = set.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${quote(value)}`)) // prettier-ignore
  return `#!/bin/sh
export ${exports.join(' ')}
mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t tmpfs tmpfs /run
mkdir /dev/shm /dev/fd 2>/dev/null
ip link set lo up
mount -t xfs /dev/ubda ${quote(run.mount)} && cd ${quote(repository)} &&
  ${run.command.map(quote).join(' ')}
echo $? >${quote(run.code)}
cd /
umount ${quote(run.mount)}
halt -f -p
`
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
