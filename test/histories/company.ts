import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { seededRandom, type Random } from '../reader/random.ts'
import {
  companyStep,
  findDifference,
  meddle,
  readViews,
  saveAsUser,
  WHO,
  writeShared,
  type View,
  type Views,
} from './company-files.ts'
import { CompanySession } from './company-session.ts'
import type { CompanyWorld } from './company-world.ts'
import type { Operation } from './history.ts'
import { APART_MS } from './played-agent.ts'
import { findMoved, type Rename } from './may-conflict.ts'
import { differences, readInodes, readTree } from './read-tree.ts'

/** Plays random acts of two sessions and a user in one project; throws at the first wrong one. */
export async function playCompany(
  seed: number,
  make: (random: Random, seed: number) => CompanyWorld,
  length = 16,
): Promise<void> {
  const random = seededRandom(seed)
  using world = make(random, seed)
  const company = new Company(world, random)
  try {
    for (let i = 0; i < length; i++) await company.step()
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    throw new Error(`company ${seed}: ${error.message}\n  ${company.acts.join('\n  ')}`, {
      cause: error,
    })
  }
}

class Unexpected extends Error {}

/** The oracle. An operation of a session may change only what is that session's. */
class Company {
  readonly acts: string[] = []
  readonly #project: string
  readonly #random: Random
  readonly #sessions: readonly CompanySession[]
  /** Files of sessions that the user changed too; only the user's part of them is certain. */
  readonly #touched = new Set<string>()
  readonly #renames: Rename[] = []
  /** Files that the user deleted, until a turn or the user makes them anew. */
  readonly #deleted = new Set<string>()
  #words = 0

  constructor({ project, members }: CompanyWorld, random: Random) {
    this.#project = project
    this.#random = random
    this.#sessions = [new CompanySession('A', members[0]!), new CompanySession('B', members[1]!)]
    writeShared((path, text) => {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), text)
    })
    for (const session of this.#sessions) session.views.set('', readViews(project)[session.who])
  }

  async step(): Promise<void> {
    const session = this.#random.pick(this.#sessions)
    if (this.#random.chance(0.2)) return this.#save()
    if (session.turns.length < 2 || this.#random.chance(0.45)) return this.#turn(session)
    return this.#operate(session)
  }

  async #save(): Promise<void> {
    await setTimeout(APART_MS)
    if (this.#random.chance(0.4)) this.#meddle()
    else {
      this.acts.push('the user saves')
      saveAsUser(this.#random, this.#project, this.#word())
    }
    await setTimeout(APART_MS)
  }

  #meddle(): void {
    const done = meddle(this.#random, this.#project, this.#word())
    this.acts.push(`the user meddles: ${JSON.stringify(done)}`)
    for (const path of done?.touched ?? []) {
      this.#touch(path)
      // The user may make a file again.
      this.#deleted.delete(path)
    }
    if (done?.deleted != null) this.#deleted.add(done.deleted)
  }

  /** A file that a session renamed is touched at all of its paths. */
  #touch(path: string): void {
    if (this.#touched.has(path)) return
    this.#touched.add(path)
    for (const { from, to } of this.#renames) {
      if (from === path) this.#touch(to)
      if (to === path) this.#touch(from)
    }
  }

  async #turn(session: CompanySession): Promise<void> {
    const prompt = `${session.who}${session.turns.length + 1}`
    const views = readViews(this.#project)
    const start = { tree: readTree(this.#project), inodes: readInodes(this.#project) }
    const step = () => companyStep(this.#random, this.#project, session.who, this.#word())
    const steps = this.#random.chance(0.5) ? [step(), step()] : [step()]
    // A Write has the text of now, so it would drop what the other step does.
    const played = steps.some((each) => 'write' in each) ? steps.slice(0, 1) : steps
    this.acts.push(`${prompt}: ${JSON.stringify(played)}`)
    await session.member.turn(prompt, played)
    const end = { tree: readTree(this.#project), inodes: readInodes(this.#project) }
    const changed = differences(start.tree, end.tree).map(({ path }) => path)
    for (const rename of findMoved(start, end)) {
      this.#renames.push(rename)
      if (this.#touched.has(rename.from)) this.#touch(rename.to)
    }
    const now = readViews(this.#project)
    const other = session.who === 'A' ? 'B' : 'A'
    this.#expectEqual(`what is ${other}'s`, views[other], now[other])
    session.addTurn(prompt, new Set(changed))
    for (const path of changed) this.#deleted.delete(path)
    session.views.set(session.key, now[session.who])
  }

  async #operate(session: CompanySession): Promise<void> {
    const { prompts } = await session.member.line()
    const act = nextOperation(this.#random, session, prompts)
    const before = readViews(this.#project)
    const outcome = await session.member.operate(act)
    this.acts.push(`${session.who}: ${JSON.stringify(act)} ${outcome.kind}`)
    const now = this.#expectOthers(outcome.kind === 'done' ? session : null, before)
    if (outcome.kind === 'refused') {
      const { code, message, files } = outcome
      if (code === 'conflict' && files.every((file) => this.#mayConflict(file, session, act)))
        return
      throw new Unexpected(`${code} ${message}`)
    }
    if (outcome.kind === 'nothing') {
      if (act.do === 'undo' && session.canUndo) throw new Unexpected('an undo found nothing to do')
      return
    }
    // It is not certain whose the changes of these files are.
    const left = outcome.left.filter((each) => !this.#touched.has(each.split(' (')[0]!))
    if (left.length > 0) throw new Unexpected(`left ${left.join(', ')}`)
    if (act.do === 'revert') session.revert(act)
    else {
      const { prompts: line, head } = await session.member.line()
      session.move(line[head - 1] ?? null, outcome.beforeFirst)
    }
    this.#expectView(session, now)
  }

  #expectView(session: CompanySession, now: Views): void {
    const known = session.views.get(session.key)
    if (known === undefined) return void session.views.set(session.key, now[session.who])
    this.#expectEqual(`[${session.key}]`, known, now[session.who])
  }

  #expectEqual(what: string, one: View, other: View): void {
    const path = findDifference(one, other, this.#touched)
    if (path !== null)
      throw new Unexpected(`${what}: ${path} was\n${one.get(path)}\nis\n${other.get(path)}`)
  }

  /** After an operation. */
  #expectOthers(changer: CompanySession | null, before: Views): Views {
    const now = readViews(this.#project)
    for (const who of [...WHO, 'nobody'] as const) {
      if (who === changer?.who) continue
      if (who !== 'U') this.#expectEqual(`what is ${who}'s`, before[who], now[who])
    }
    // What a person wrote stays, wherever a session's file moves.
    const kept = linesOf(now.U)
    for (const line of linesOf(before.U))
      if (!kept.has(line)) throw new Unexpected(`the user's line ${line} is gone`)
    for (const path of this.#deleted)
      if (WHO.some((who) => now[who].has(path)))
        throw new Unexpected(`${path} came back, which the user deleted`)
    return now
  }

  #mayConflict(file: string, session: CompanySession, act: Operation): boolean {
    if (this.#touched.has(file)) return true
    if (act.do === 'revert' && session.changed(act.turn, file)) return true
    const isOwn = (each: CompanySession) => (each === session ? 'itself' : 'another')
    return this.#sessions.some((each) => each.mayHoldUp(file, isOwn(each)))
  }

  #word(): string {
    return `w${this.#words++}`
  }
}

function linesOf(view: View): Set<string> {
  return new Set([...view.values()].flatMap((lines) => lines.split('\n')))
}

function nextOperation(
  random: Random,
  { turns, path, reverted }: CompanySession,
  prompts: readonly string[],
): Operation {
  const choice = random.below(100)
  if (choice < 35) return { do: 'undo', count: 1 + random.below(2) }
  if (choice < 62) return { do: 'redo', count: 1 + random.below(2) }
  if (choice < 74) return { do: 'rewind', to: random.pick([null, ...prompts]) }
  if (choice < 90) return { do: 'switch', to: random.pick(turns) }
  const [one] = reverted
  if (one !== undefined && random.chance(0.5)) return { do: 'revert', turn: one, off: true }
  return { do: 'revert', turn: random.pick(path), off: false }
}
