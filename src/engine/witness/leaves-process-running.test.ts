import { expect, test } from 'vitest'
import { leavesProcessRunning } from './leaves-process-running.ts'

test.each([
  ['npm run dev &', true],
  ['(sleep 4; echo late > late) >/dev/null 2>&1 & echo now', true],
  ['nohup ./serve &> log &', true],
  ['setsid ./serve', true],
  ['a & b & wait', false],
  ['a & wait; b &', true],
  ['make && make test', false],
  ['make 2>&1 | tee log', false],
  ['make |& tee log', false],
  ['make &> log', false],
  ['echo "you & me" > a; grep \'a&b\' f', false],
  ['curl http://x/?a=1\\&b=2', false],
  ['ls # this & that', false],
  ["bash -lc 'npm run dev &'", true],
  ['sh -c "(sleep 1; echo late > late) & echo now"', true],
  ["bash -c 'a & wait'", false],
  ["bash <<'END'\n./serve &\nEND", true],
  ["cat > page.html <<'END'\n<p>&copy; a & b</p>\nEND\nls", false],
  ['cat > a <<END && ./serve &\na\nEND', true],
  ['echo $((7 & 3)) > bits', false],
  ['tmux new-session -d -s dev "npm run dev"', true],
  ['tmux ls; screen -ls', false],
])('[sem.A5] whether a command leaves a process running: %s', (command, expected) => {
  expect(leavesProcessRunning(command)).toBe(expected)
})
