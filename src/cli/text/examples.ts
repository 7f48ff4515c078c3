import { allWords } from '#engine'

/** The examples at the top of each verb's help. */
export const examples: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  sessions: [
    ['retake sessions', 'list the sessions of this project and its other worktrees'],
    ['retake sessions --all', 'list all sessions on this machine'],
  ],
  'sessions rename': [
    ['retake sessions rename 3f2a "Login page"', 'change the title, only in Retake'],
  ],
  'sessions delete': [['retake sessions delete 3f2a 9b1c', 'hide two sessions; their files stay']],
  'sessions archive': [
    ['retake sessions archive 3f2a', 'move it to the end of the list'],
    ['retake sessions archive 3f2a --off', 'unarchive it'],
  ],
  log: [
    ['retake log', 'show the session that is open here, else the newest'],
    ['retake log -n 5', 'show its last five turns'],
    [
      'retake log --files src --since 2d',
      'show turns of the last two days that changed files in src',
    ],
    ['retake log --session 3f2a', 'show another session'],
    ['retake log --json | jq .head', 'print the current turn as JSON'],
  ],
  show: [
    ['retake show 3', 'show turn 3 of the current line'],
    ['retake show main:5', 'show turn 5 of the branch main'],
    ['retake show works', 'show the turn with the checkpoint “works”'],
  ],
  search: [
    ['retake search login form', 'search prompts, answers, files and commands of all sessions'],
    ['retake search auth.ts --project .', 'search only this project'],
  ],
  tree: [['retake tree', 'show the branches, and where you are']],
  status: [
    ['retake status', 'show the current turn, undone turns, hooks and storage'],
    ['retake status --line', 'print one line for a status bar'],
  ],
  undo: [
    ['retake undo', 'undo the last turn, files and conversation'],
    ['retake undo 3 --dry-run', 'show what undoing three turns would do'],
    ['retake undo --only files', 'undo only the file changes; the conversation stays'],
    ['retake undo --on-conflict keep-mine', 'leave files in conflict as they are'],
  ],
  redo: [
    ['retake redo', 'redo the next undone turn'],
    ['retake redo --all', 'redo all of them'],
  ],
  back: [['retake back', 'go back one turn in the conversation; files stay']],
  rewind: [
    ['retake rewind 5', 'go to the end of turn 5'],
    ['retake rewind --before 5', 'go to before the prompt of turn 5'],
    ['retake rewind works', 'go to the checkpoint “works”'],
    ['retake rewind 5 --exact', 'restore the whole project as it was then'],
  ],
  revert: [
    ['retake revert 4', 'revert the file changes of turn 4; later turns stay'],
    ['retake revert 4 --off', 'bring them back'],
  ],
  restore: [
    ['retake restore src/a.ts --at 3', 'restore a file as it was after turn 3'],
    ['retake restore src/*.ts --at 0', 'restore files as they were before the first turn'],
  ],
  switch: [
    ['retake switch main', 'switch to the last turn of the branch main'],
    ['retake switch "try JWT" --turn 7', 'switch to turn 7 of a branch'],
  ],
  branches: [['retake branches', 'list branches: where they diverge and what they changed']],
  branch: [
    ['retake branch 5', 'start a new session with turns 1 to 5'],
    ['retake branch 5 --title "try JWT"', 'give it a title'],
    ['retake branch rename 7c1e "try JWT"', 'name a branch'],
  ],
  'branch rename': [['retake branch rename 7c1e "try JWT"', 'name the branch with this id']],
  'branch delete': [['retake branch delete "try JWT"', 'hide the branch; the transcript stays']],
  'branch archive': [
    ['retake branch archive old older', 'archive two branches'],
    ['retake branch archive old --off', 'unarchive one'],
  ],
  'branch canonical': [['retake branch canonical "try JWT"', 'make it the main branch']],
  checkpoint: [
    ['retake checkpoint works', 'name the turn you are at'],
    ['retake checkpoint works --turn 3', 'name another turn'],
    ['retake checkpoint works --delete', 'remove the name'],
  ],
  checkpoints: [['retake checkpoints', 'list names and turns']],
  stash: [
    ['retake stash', 'list the turns that undo and switch left behind'],
    ['retake stash restore 12', 'restore the turns of entry 12'],
  ],
  'stash show': [['retake stash show 12', 'show the turns of entry 12']],
  'stash restore': [['retake stash restore 12 --dry-run', 'show what that would do']],
  compare: [
    ['retake compare main "try JWT"', 'compare two branches'],
    ['retake compare 3 main:7', 'compare two turns'],
  ],
  diff: [
    ['retake diff 2..5', 'show what changed between turn 2 and turn 5'],
    ['retake diff "main..try JWT"', 'show how two branches differ'],
  ],
  where: [
    ['retake where src/a.ts', 'list all versions that Retake keeps'],
    ['retake where src/a.ts --content 9f3c > a.ts', 'write one version to a file'],
  ],
  check: [
    ['retake check', 'check the store'],
    ['retake check --read-data', 'also check every byte'],
  ],
  op: [
    ['retake op log', 'list the operations'],
    ['retake op undo', 'undo the newest operation'],
  ],
  'op log': [['retake op log', 'list the operations, newest first']],
  'op show': [['retake op show 12', 'show operation 12, file by file']],
  'op undo': [
    ['retake op undo', 'undo the newest operation'],
    ['retake op undo 12 --dry-run', 'show what undoing operation 12 would do'],
  ],
  chat: [
    ['retake chat', 'continue the session, prompt by prompt'],
    ['retake chat "add a test"', 'send one prompt'],
    ['retake chat --new "fix the build"', 'start a new session'],
  ],
  claude: [
    ['retake claude', 'start `claude`; undo reopens it at the earlier turn'],
    ['retake claude --continue', 'pass any option of `claude`'],
  ],
  install: [
    ['retake install', 'install hooks for all your projects'],
    [
      'retake install --scope project',
      'install them in this project, for everyone who works on it',
    ],
    ['retake install --dry-run', 'show what would change'],
  ],
  uninstall: [['retake uninstall', 'remove the hooks, and list what stays']],
  mcp: allWords().flatMap(({ addTools }) =>
    addTools === null ? [] : [[addTools, 'give the model Retake’s tools'] as const],
  ),
  gc: [
    ['retake gc --dry-run', 'show what could be deleted'],
    ['retake gc', 'delete it, after a question'],
  ],
  forget: [['retake forget "try JWT"', 'delete Retake’s copies of a branch']],
  purge: [['retake purge .env', 'delete all versions of a file']],
  rescue: [['retake rescue 3f2a', 'restore a lost session as a new one']],
  settings: [
    ['retake settings', 'show all settings'],
    ['retake settings set quota 5GB', 'change a setting'],
  ],
  'settings set': [
    ['retake settings set quota 5GB', 'set the storage limit'],
    ['retake settings set include .env.local', 'record a file that git ignores'],
    ['retake settings set voiceKey - < key.txt', 'read the key for speech from a file'],
  ],
  serve: [
    ['retake serve', 'run the page and the API, until Ctrl-C'],
    ['retake serve --port 4173 --json', 'print address and token as JSON'],
  ],
  project: [['retake project move OLD NEW', 'record that the directory OLD is now NEW']],
  'project move': [
    ['retake project move ~/old/shop ~/work/shop', 'move its sessions to the new directory'],
  ],
  demo: [
    ['retake demo', 'open the page on a recorded project'],
    ['retake demo --shell', 'open a shell in it'],
  ],
  tui: [['retake tui', 'open the terminal interface']],
  doctor: [
    ['retake doctor', 'check the installation'],
    ['retake doctor --json', 'print the result as JSON'],
    ['retake doctor --report', 'print versions and sizes for a bug report'],
  ],
  completion: [
    ['eval "$(retake completion bash)"', 'add this to ~/.bashrc'],
    ['source <(retake completion zsh)', 'add this to ~/.zshrc'],
    ['retake completion fish | source', 'add this to config.fish'],
  ],
}

export function examplesText(name: string): string {
  const own = examples[name] ?? []
  const width = Math.max(0, ...own.map(([line]) => line.length)) + 2
  return `Examples:\n${own.map(([line, does]) => `  ${line.padEnd(width)}${does}\n`).join('')}`
}
