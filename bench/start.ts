import { spawn, spawnSync } from 'node:child_process'
import { claudeCode } from '../test/agent/index.ts'
import { scriptedModel } from '../test/model/index.ts'
import { scene, type Scene } from '../test/scene.ts'
import { installPackage } from './install-package.ts'
import { interleave, ratio } from './measure.ts'
import type { Measured } from './measured.ts'

const ROUNDS = 20

/** How long commands take, from the bundle that ships, compared with an empty Node script. */
export async function run(): Promise<Measured> {
  await using s = await scene()
  await using model = await scriptedModel()
  await claudeCode(s, model).prompt('hello')
  const retake = await installPackage(s)
  const { NODE_COMPILE_CACHE: _, ...plain } = s.env
  const env = { ...plain, TERM: 'xterm' }
  const start = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: s.project, env })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${String(stderr)}`)
  }
  const times = await interleave(ROUNDS, {
    nothing: () => start('-e', '0'),
    version: () => start(retake, '--version'),
    help: () => start(retake, '--help'),
    sessions: () => start(retake, 'sessions'),
    status: () => start(retake, 'status'),
    log: () => start(retake, 'log'),
  })
  let leave = async (): Promise<void> => {}
  const frames = await interleave(ROUNDS / 2, {
    nothing: () => start('-e', '0'),
    frame: {
      act: async () => void (leave = await firstFrame(s, env, retake)),
      after: () => leave(),
    },
  })
  const most = {
    most: 1.7,
    why: 'The quartiles of both sides include the goal: some rounds reach it and some miss it.',
  }
  const reading = {
    most: 1.5,
    why: 'A start of Node is half of the run. The rest is the compiled script, SQLite, and `node:zlib` and `node:v8` for the caches, which bring Node’s streams with them: 36 of 190 million instructions.',
  }
  return {
    figures: [
      ratio('`retake --version` against `node -e 0`', times.version, times.nothing, most),
      ratio('`retake --help` against `node -e 0`', times.help, times.nothing, most),
      ratio('`retake sessions` against `node -e 0`', times.sessions, times.nothing, most),
      ratio(
        '`retake status` of a session against `node -e 0`',
        times.status,
        times.nothing,
        reading,
      ),
      ratio('`retake log` of a session against `node -e 0`', times.log, times.nothing, reading),
      ratio('first frame of `retake tui` against `node -e 0`', frames.frame, frames.nothing, {
        most: null,
      }),
    ],
  }
}

/** Waits until the turns are on the screen of a pseudo terminal; returns how to leave it. */
async function firstFrame(
  s: Scene,
  env: NodeJS.ProcessEnv,
  retake: string,
): Promise<() => Promise<void>> {
  const line = `stty rows 24 cols 80; exec ${process.execPath} ${retake} tui`
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: s.project, env })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk)
      if (said.includes('(current)')) resolve()
    })
    child.once('close', () => reject(new Error(`The screen ended:\n${said}`)))
  })
  return async () => {
    child.stdin.write('q')
    await ended
  }
}
