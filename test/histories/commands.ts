import type { Random } from '../reader/random.ts'
import type { Step } from './history.ts'
import type { Tree } from './read-tree.ts'

// Few names, so that commands collide; some differ only in case, some need quoting.
const TOP = ['a', 'b', 'c.txt', 'd', 'e', 'A', 'x y', 'ü']
const BELOW = ['a', 'b', 'd', 'f.txt']

/** One to four random commands. Each is safe on any tree: an impossible one changes nothing. */
export function randomBash(random: Random, tree: Tree, git: boolean): Step {
  const commands = Array.from({ length: 1 + random.below(4) }, () => command(random, tree, git))
  const peeks = commands.length > 1 && random.chance(0.15)
  return { bash: commands, ...(peeks ? { peek: 1 + random.below(commands.length - 1) } : {}) }
}

/** A Write or an Edit, like the agent's own tools: on regular files only. */
export function randomEdit(random: Random, tree: Tree): Step | null {
  const texts = [...tree].filter(([, line]) => /^file \d+ text /.test(line))
  const [path, line] = texts.length > 0 ? random.pick(texts) : ['', '']
  const lines = line.replace(/^file \d+ text /, '').split('\n')
  const old = lines.find((each) => each !== '' && line.split(each).length === 2)
  if (old !== undefined && random.chance(0.5))
    return { edit: path, old, new: `${old} ${word(random)}` }
  const fresh = name(random)
  const isFree = !tree.has(fresh) && parents(fresh).every((each) => /^dir|^$/.test(tree.get(each) ?? '')) // prettier-ignore
  if (isFree) return { write: fresh, text: text(random) }
  return path === '' ? null : { write: path, text: text(random) }
}

type Make = (random: Random, tree: Tree) => string

const FILES: readonly Make[] = [
  (random) => inParent(name(random), (path) => `${echo(random)} > ${path}`),
  (random) => inParent(name(random), (path) => `${echo(random)} > ${path}`),
  (random, tree) => `${echo(random)} >> ${some(random, tree, 'file')}`,
  (random, tree) => `${echo(random)} > ${some(random, tree, 'file')}`,
  (random, tree) => `rm -f ${some(random, tree, 'file')}`,
  (random, tree) => `rm -rf ${some(random, tree, 'any')}`,
  (random, tree) => `rm -rf ${some(random, tree, 'directory')}`,
  (random, tree) => `mv -T ${some(random, tree, 'file')} ${quote(name(random))}`,
  (random, tree) => `mv -T ${some(random, tree, 'directory')} ${quote(name(random))}`,
  (random, tree) => `mv ${some(random, tree, 'any')} ${some(random, tree, 'directory')}/`,
  (random, tree) => `mv ${some(random, tree, 'any')} .`,
  (random, tree) => `cp -T ${some(random, tree, 'file')} ${quote(name(random))}`,
  (random, tree) => `cp -r ${some(random, tree, 'directory')} ${quote(name(random))}`,
  (random, tree) => swap(some(random, tree, 'any'), some(random, tree, 'any')),
  (random, tree) => toDirectory(some(random, tree, 'file'), random.pick(BELOW)),
  (random, tree) => toFile(some(random, tree, 'directory'), echo(random)),
  (random, tree) => `ln -sfn ${some(random, tree, 'any')} ${quote(name(random))}`,
  (random, tree) => chmod(random.pick(['+x', '644', '600']), some(random, tree, 'file')),
  (random) => `mkdir -p ${quote(name(random))}`,
  (random, tree) => `rmdir ${some(random, tree, 'directory')}`,
  (random) => inParent(name(random), (path) => `: > ${path}`),
  (random) => inParent(name(random), (path) => `printf '\\000\\${1 + random.below(7)}\\377' > ${path}`), // prettier-ignore
  (random) => inParent(name(random), (path) => `seq ${1000 + random.below(9000)} > ${path}`),
  (random, tree) => `sed -i '1s/^/${word(random)} /' ${some(random, tree, 'file')}`,
]

const GIT: readonly Make[] = [
  () => 'git add -A',
  () => 'git add -A; git commit -qm more',
  (random, tree) => `git mv -f ${some(random, tree, 'file')} ${quote(name(random))}`,
  (random, tree) => `git rm -qrf ${some(random, tree, 'any')}`,
  () => 'git checkout -q -- .',
  () => 'git stash -qu',
  () => 'git stash pop -q',
]

function command(random: Random, tree: Tree, git: boolean): string {
  const made = random.pick(git && random.chance(0.15) ? GIT : FILES)(random, tree)
  return `{ ${made}; } 2>/dev/null`
}

function name(random: Random): string {
  const top = random.pick(TOP)
  if (random.chance(0.5)) return top
  const inner = `${top}/${random.pick(BELOW)}`
  return random.chance(0.3) ? `${inner}/${random.pick(BELOW)}` : inner
}

/** A path that exists, most of the time. */
function some(random: Random, tree: Tree, kind: 'file' | 'directory' | 'any'): string {
  const found = [...tree].filter(([, line]) => kind === 'any' || line.startsWith(kind))
  return quote(found.length === 0 || random.chance(0.1) ? name(random) : random.pick(found)[0])
}

function inParent(path: string, write: (path: string) => string): string {
  const parent = path.includes('/') ? `mkdir -p ${quote(path.replace(/\/[^/]*$/, ''))}; ` : ''
  return parent + write(quote(path))
}

function swap(one: string, other: string): string {
  return `mv -T ${one} .swap && { mv -T ${other} ${one}; mv -T .swap ${other}; }`
}

/** Only of files, because modes of directories are not covered. */
function chmod(mode: string, path: string): string {
  return `[ -f ${path} ] && [ ! -L ${path} ] && chmod ${mode} ${path}`
}

function toDirectory(path: string, inner: string): string {
  return `mv -T ${path} .kept && mkdir ${path} && mv -T .kept ${path}/${inner}`
}

function toFile(path: string, make: string): string {
  return `rm -rf ${path} && ${make} > ${path}`
}

function echo(random: Random): string {
  return `printf '${text(random).replaceAll('\n', '\\n')}'`
}

// Repeated contents, because the same content often returns for another reason, such as a deletion.
const AGAIN = ['', 'x\n', 'y\n', 'x\ny\n']

function text(random: Random): string {
  if (random.chance(0.3)) return random.pick(AGAIN)
  const lines = Array.from({ length: random.below(7) }, () => word(random))
  return lines.map((line) => `${line}\n`).join('') + (random.chance(0.1) ? 'no end' : '')
}

function word(random: Random): string {
  return random.pick(['one', 'two', 'three', 'four', 'five', 'six']) + random.below(40)
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path}'`
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}
