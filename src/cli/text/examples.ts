import { allWords } from '#engine'

/** The examples at the top of each verb's help. */
export const examples: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  sessions: [
    ['retake sessions', 'of this project and its other worktrees'],
    ['retake sessions --all', 'of the whole machine'],
  ],
  'sessions rename': [['retake sessions rename 3f2a "Login page"', 'only in Retake']],
  'sessions delete': [['retake sessions delete 3f2a 9b1c', 'hide them; the files stay']],
  'sessions archive': [
    ['retake sessions archive 3f2a', 'move it to the end of the list'],
    ['retake sessions archive 3f2a --off', 'and back'],
  ],
  log: [
    ['retake log', 'the session open here, else the newest'],
    ['retake log -n 5', 'its last five turns'],
    ['retake log --files src --since 2d', 'turns that changed files there'],
    ['retake log --session 3f2a', 'another one'],
    ['retake log --json | jq .head', 'for programs'],
  ],
  show: [
    ['retake show 3', 'turn 3 of the current line'],
    ['retake show main:5', 'turn 5 of another branch'],
    ['retake show works', 'the turn with that checkpoint'],
  ],
  search: [
    ['retake search login form', 'in prompts, answers, files and commands of all sessions'],
    ['retake search auth.ts --project .', 'in this project only'],
  ],
  tree: [['retake tree', 'the branches, and where you are']],
  status: [
    ['retake status', 'head, undone turns, hooks, what is kept'],
    ['retake status --line', 'one line, for a status bar'],
  ],
  undo: [
    ['retake undo', 'the last turn, files and conversation'],
    ['retake undo 3 --dry-run', 'what undoing three would do'],
    ['retake undo --only files', 'the conversation stays'],
    ['retake undo --on-conflict keep-mine', 'files in conflict stay as they are'],
  ],
  redo: [
    ['retake redo', 'the next undone turn'],
    ['retake redo --all', 'all of them'],
  ],
  back: [['retake back', 'one turn back in the conversation; files stay']],
  rewind: [
    ['retake rewind 5', 'keep everything up to and including turn 5'],
    ['retake rewind --before 5', 'to before the prompt of turn 5'],
    ['retake rewind works', 'to a checkpoint'],
    ['retake rewind 5 --exact', 'the whole project as it was then'],
  ],
  revert: [
    ['retake revert 4', 'the file changes of turn 4; later turns stay'],
    ['retake revert 4 --off', 'and back'],
  ],
  restore: [
    ['retake restore src/a.ts --at 3', 'one file, as it was after turn 3'],
    ['retake restore src/*.ts --at 0', 'as they were before the first turn'],
  ],
  switch: [
    ['retake switch main', 'to the tip of another branch'],
    ['retake switch "try JWT" --turn 7', 'to one of its turns'],
  ],
  branches: [['retake branches', 'with where they part and what they changed']],
  branch: [
    ['retake branch 5', 'a new session that begins with turns 1 to 5'],
    ['retake branch 5 --title "try JWT"', 'with this title'],
    ['retake branch rename 7c1e "try JWT"', 'a name for a branch'],
  ],
  'branch rename': [['retake branch rename 7c1e "try JWT"', 'branches by their ids or names']],
  'branch delete': [['retake branch delete "try JWT"', 'hide it; the transcript stays']],
  'branch archive': [
    ['retake branch archive old older', 'hide them from the list'],
    ['retake branch archive old --off', 'and show one again'],
  ],
  'branch canonical': [['retake branch canonical "try JWT"', 'make it the main branch']],
  checkpoint: [
    ['retake checkpoint works', 'the turn you are at'],
    ['retake checkpoint works --turn 3', 'another turn'],
    ['retake checkpoint works --delete', 'remove the name'],
  ],
  checkpoints: [['retake checkpoints', 'names and turns']],
  stash: [
    ['retake stash', 'turns that undo and switch left behind'],
    ['retake stash restore 12', 'restore its turns'],
  ],
  'stash show': [['retake stash show 12', 'its turns']],
  'stash restore': [['retake stash restore 12 --dry-run', 'show what that would do']],
  compare: [
    ['retake compare main "try JWT"', 'two branches'],
    ['retake compare 3 main:7', 'two turns'],
  ],
  diff: [
    ['retake diff 2..5', 'the files after turn 2 against those after turn 5'],
    ['retake diff "main..try JWT"', 'two branches'],
  ],
  where: [
    ['retake where src/a.ts', 'all versions that Retake keeps'],
    ['retake where src/a.ts --content 9f3c > a.ts', 'write one version to a file'],
  ],
  check: [
    ['retake check', 'check the store'],
    ['retake check --read-data', 'check every byte, too'],
  ],
  op: [
    ['retake op log', 'list the operations'],
    ['retake op undo', 'undo the newest operation'],
  ],
  'op log': [['retake op log', 'newest first']],
  'op show': [['retake op show 12', 'file by file']],
  'op undo': [
    ['retake op undo', 'the newest operation'],
    ['retake op undo 12 --dry-run', 'what undoing that one would do'],
  ],
  chat: [
    ['retake chat', 'continue the session, prompt by prompt'],
    ['retake chat "add a test"', 'one prompt'],
    ['retake chat --new "fix the build"', 'a new session'],
  ],
  claude: [
    ['retake claude', 'as `claude`; undo reopens it at the earlier turn'],
    ['retake claude --continue', 'with any of its options'],
  ],
  install: [
    ['retake install', 'hooks for all your projects'],
    ['retake install --scope project', 'for this project, shared with everyone who works on it'],
    ['retake install --dry-run', 'what would change'],
  ],
  uninstall: [['retake uninstall', 'remove the hooks; lists what stays']],
  mcp: allWords().flatMap(({ addTools }) =>
    addTools === null ? [] : [[addTools, 'give the model Retake’s tools'] as const],
  ),
  gc: [
    ['retake gc --dry-run', 'show what could be deleted'],
    ['retake gc', 'ask, then delete it'],
  ],
  forget: [['retake forget "try JWT"', 'delete Retake’s copies of a branch']],
  purge: [['retake purge .env', 'delete all versions of a file']],
  rescue: [['retake rescue 3f2a', 'restore a lost session as a new one']],
  settings: [
    ['retake settings', 'show all settings'],
    ['retake settings set quota 5GB', 'decide'],
  ],
  'settings set': [
    ['retake settings set quota 5GB', 'storage limit'],
    ['retake settings set include .env.local', 'record this file although git ignores it'],
    ['retake settings set voiceKey - < key.txt', 'the key for speech; never as an argument'],
  ],
  serve: [
    ['retake serve', 'the page and the API, until Ctrl-C'],
    ['retake serve --port 4173 --json', 'for programs'],
  ],
  project: [['retake project move OLD NEW', 'the directory OLD is NEW now']],
  'project move': [
    ['retake project move ~/old/shop ~/work/shop', 'its sessions belong to the new directory'],
  ],
  demo: [
    ['retake demo', 'a session to try things on'],
    ['retake demo --shell', 'the same in a shell'],
  ],
  tui: [['retake tui', 'full-screen terminal interface']],
  doctor: [
    ['retake doctor', 'check the installation'],
    ['retake doctor --json', 'for programs'],
  ],
  completion: [
    ['eval "$(retake completion bash)"', 'in ~/.bashrc'],
    ['source <(retake completion zsh)', 'in ~/.zshrc'],
    ['retake completion fish | source', 'in config.fish'],
  ],
}

export function examplesText(name: string): string {
  const own = examples[name] ?? []
  const width = Math.max(0, ...own.map(([line]) => line.length)) + 2
  return `Examples:\n${own.map(([line, does]) => `  ${line.padEnd(width)}${does}\n`).join('')}`
}
