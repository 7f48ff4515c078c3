/** What some tests need beyond `npm ci`, with the Debian package. */
export const NEEDS = {
  linux: { check: 'linux', package: null, for: 'what only Linux has, such as /proc' },
  'own-platform': {
    check: 'own-platform',
    package: null,
    for: 'what `PLATFORM=…` cannot pretend, such as the words of `ps`',
  },
  tmux: {
    check: 'program',
    package: 'tmux',
    for: 'the terminal UI in a real terminal multiplexer',
  },
  bash: { check: 'program', package: 'bash', for: 'completion in bash' },
  zsh: { check: 'program', package: 'zsh', for: 'completion in zsh' },
  fish: { check: 'program', package: 'fish', for: 'completion in fish' },
  cc: { check: 'program', package: 'gcc libc6-dev', for: 'faults injected below SQLite' },
  curl: { check: 'program', package: 'curl', for: 'the examples of the HTTP API' },
  ps: { check: 'program', package: 'procps', for: 'processes on systems without /proc' },
  setsid: { check: 'program', package: 'util-linux', for: 'daemons' },
  prlimit: { check: 'program', package: 'util-linux', for: 'limits on open files' },
  perl: { check: 'program', package: 'perl', for: 'hooks without setsid' },
  strace: {
    check: 'program',
    package: 'strace',
    for: 'the test that no process leaves the machine',
  },
  flock: { check: 'program', package: 'util-linux', for: 'sessions of Codex that are open' },
  ip: { check: 'program', package: 'iproute2', for: 'the same test' },
  'mkfs.xfs': { check: 'program', package: 'xfsprogs', for: 'power cuts on XFS' },
  codex: {
    check: 'codex',
    package: null,
    for: 'the real Codex (`npm install -g @openai/codex`, or TEST_CODEX)',
  },
  root: { check: 'root', package: null, for: 'files of other owners' },
  'readable-clone': {
    check: 'readable-clone',
    package: null,
    for: 'Retake as another user, who must be able to read this clone',
  },
  chattr: { check: 'chattr', package: 'e2fsprogs', for: 'immutable files' },
  setfattr: { check: 'program', package: 'attr', for: 'extended attributes' },
  fuse: {
    check: 'fuse',
    package: 'python3-fusepy fuse',
    for: 'mounts that do not report every change',
  },
  folding: {
    check: 'folding',
    package: 'python3-fusepy fuse',
    for: 'volumes that fold names; on a Mac they do without',
  },
  'linux.uml': {
    check: 'program',
    package: 'user-mode-linux xfsprogs',
    for: '`npm run test:folding` on XFS',
  },
  mount: { check: 'mount', package: null, for: 'full and read-only disks' },
  'user-namespaces': {
    check: 'user-namespaces',
    package: null,
    for: 'a network without a way out',
  },
} as const satisfies Record<
  string,
  {
    check:
      | 'linux'
      | 'own-platform'
      | 'codex'
      | 'program'
      | 'root'
      | 'readable-clone'
      | 'chattr'
      | 'mount'
      | 'fuse'
      | 'folding'
      | 'user-namespaces'
    package: string | null
    for: string
  }
>

export type Need = keyof typeof NEEDS

const NOTE = 'needs '

/** The note of a skipped test; `missingIn` parses it. */
export function noteOf(missing: readonly Need[]): string {
  return `${NOTE}${missing.join(', ')}`
}

export function missingIn(note: string | undefined): Need[] {
  if (note?.startsWith(NOTE) !== true) return []
  return note.slice(NOTE.length).split(', ') as Need[]
}
