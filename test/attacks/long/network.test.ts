import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { needs } from '../../needs.ts'
import { scene } from '../../scene.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 3_600_000 })

const repository = fileURLToPath(new URL('../../../', import.meta.url))
/** From the first prompt to the page: agent, all commands, server with its runs, browser. */
const FLOWS = [
  'test/house/three-turns.test.ts',
  'test/cli/read-verbs.test.ts',
  'test/hooks/turns.test.ts',
  'test/live/mcp.test.ts',
  'test/server/run.test.ts',
  'test/server/api.test.ts',
  'test/web/demo.test.ts',
]
/** A local socket or a loopback address. */
const LOCAL =
  /sa_family=AF_(UNIX|UNSPEC|NETLINK)|inet_addr\("127\.|inet_pton\(AF_INET6, "(::1|::ffff:127\.)/
/** Chromium asks its kernel, without sending anything, whether it could reach the internet. */
const BROWSER = /<(chromium|Chrome_\w*|NetworkService|ThreadPool\w*|chrome)>/

needs(
  'strace',
  'ip',
  'user-namespaces',
)(
  '[S16] everything from prompt to page runs without a network and tries to reach none',
  async () => {
    await using s = await scene()
    const traced = join(s.root, 'connections')
    const strace = `strace -f --decode-pids=comm --seccomp-bpf -qq -e trace=connect -e signal=none -o ${traced}`
    const vitest = `node_modules/vitest/vitest.mjs run --testTimeout=0 ${FLOWS.join(' ')}`
    const inside = `ip link set lo up && exec ${strace} ${process.execPath} ${vitest}`
    const { PATH = '' } = s.env
    const { code, stdout, stderr } = await s.run('unshare', ['-rn', 'sh', '-c', inside], {
      cwd: repository,
      timeoutMs: 3_000_000,
      // These tests create their own scenes, which would be mistaken for this one's.
      env: { ...Object.fromEntries(Object.keys(s.env).map((name) => [name, undefined])), PATH },
    })
    expect(code, `${stdout.slice(-3000)}\n${stderr.slice(-1000)}`).toBe(0)
    const connections = (await readFile(traced, 'utf8'))
      .split('\n')
      .filter((line) => line.includes('connect(') && !BROWSER.test(line))
    // Proves that the recorder works: the processes talk to each other.
    expect(connections.length).toBeGreaterThan(100)
    expect(connections.filter((line) => !LOCAL.test(line))).toEqual([])
    const attack = `connections of Retake, its servers, hooks and agents, in ${FLOWS.length} test files that pass without a network`
    reportAttack({ goals: 'S16', attack, tried: connections.length, held: connections.length })
  },
)
