import { type } from 'node:os'

/**
 * The command that runs a shell in a pseudo terminal. `script` is part of every Debian (util-linux)
 * and of macOS, where it has other options, so that no native module has to be built.
 */
export function inPseudoTerminal(shell: string): [program: string, args: string[]] {
  return type() === 'Darwin'
    ? ['script', ['-qF', '/dev/null', '/bin/sh', '-c', shell]]
    : ['script', ['-qfec', shell, '/dev/null']]
}
