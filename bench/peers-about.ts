/** The programs in the growth curves, by key, and the commands that each runs. */
export interface PeerAbout {
  readonly key: string
  readonly who: string
  readonly snapshot: string
  readonly restore: string
}

export const peersAbout: readonly PeerAbout[] = [
  {
    key: 'opencode',
    who: 'opencode 1.18',
    snapshot:
      'in a git directory of its own: `diff-files` and `ls-files --others`, with changes `check-ignore` and `add --pathspec-from-file`, then `write-tree`',
    restore: '`read-tree`, `checkout-index -a -f`: every file is written again',
  },
  {
    key: 'plain',
    who: 'opencode 2025',
    snapshot: '`git add .`, `write-tree`',
    restore: 'the same as 1.18',
  },
  {
    key: 'gemini',
    who: 'Gemini CLI 0.61',
    snapshot: '`git add .`, `status`, `commit --no-verify`',
    restore: '`git restore --source`, `clean -f -d`',
  },
  {
    key: 'cline',
    who: 'Cline',
    snapshot:
      'walks the tree for nested repositories, twice; `git add . --ignore-errors`, `commit --allow-empty --no-verify`',
    restore: '`git reset --hard`',
  },
  {
    key: 'clineSdk',
    who: 'Cline SDK',
    snapshot:
      'in the user’s repository: `stash create`, `ls-files --others`, `update-ref`; new files by an index of their own',
    restore: '–',
  },
  {
    key: 'roo',
    who: 'Roo Code',
    snapshot: '`git add . --ignore-errors`, `commit --allow-empty`',
    restore: '`git clean -f -d -f`, `reset --hard`',
  },
  {
    key: 'claude',
    who: 'Claude Code',
    snapshot: 'copies the file that its own tool is about to edit; sees nothing else',
    restore: '–',
  },
]
