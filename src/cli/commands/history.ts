import {
  checkProject,
  diffTurns,
  openProject,
  readHeld,
  readOperations,
  readSession,
  showOperation as readShownOperation,
  knownPath,
  whereIs,
  type Project,
  type Reveal,
} from '#engine'
import { Failure } from '#failure'
import { checkView, diffView, operationView, operationsView, whereView } from '#protocol'
import type { ProjectPath } from '#timeline'
import { resolve } from 'node:path'
import { exitCodes } from '../exit-codes.ts'
import type { Context } from '../context.ts'
import { checkText, operationsText, operationText, whereText } from '../text/history-text.ts'
import { diffText } from '../text/show-text.ts'
import { allVisible } from '../visible.ts'

/** Commands about Retake's operations and the contents it keeps. */

function openHere(context: Context): Project {
  const { report } = readSession(context.machine, context.wanted)
  return openProject(context.machine, report.project)
}

export function operationLog(context: Context): void {
  using project = openHere(context)
  const operations = readOperations(project)
  if (context.json) return context.print(operationsView(operations))
  context.page(operationsText(allVisible(operations), context.paint, context.now))
}

export function showOperation(context: Context, id: string): void {
  using project = openHere(context)
  const shown = readShownOperation(project, readOperationId(id), { reveal: false })
  if (context.json) return context.print(operationView(shown))
  context.page(operationText(allVisible(shown.operation), context.paint, context.now))
}

export function readOperationId(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Failure('usage', `${text} is not an operation number.`, {
    hint: 'Run `retake op log` to list the operations.',
  })
}

export function diff(context: Context, range: string, how: Reveal): void {
  const session = readSession(context.machine, context.wanted)
  using project = openProject(context.machine, session.report.project)
  const diffs = diffTurns(context.machine, project, session, range, how)
  if (context.json) return context.print(diffView(session.report.id, range, diffs))
  if (diffs.length === 0)
    return context.say(
      range.endsWith('..')
        ? 'The files that turns changed are the same as then.'
        : 'No recorded changes between them.',
    )
  context.page(
    allVisible(diffs)
      .flatMap((each) => diffText(each, context.paint))
      .join('\n')
      .trimStart(),
  )
}

export function where(context: Context, path: string, { content }: { content?: string }): void {
  using project = openHere(context)
  const inProject = pathInProject(context, project, path)
  if (content !== undefined) return void process.stdout.write(readHeld(project, inProject, content))
  const held = whereIs(project, inProject)
  if (context.json) return context.print(whereView(inProject, held))
  context.page(whereText(allVisible(inProject), allVisible(held), context.paint, context.now))
}

/** Resolves a path from the current directory. */
export function pathInProject(context: Context, project: Project, path: string): ProjectPath {
  const found = knownPath(project, resolve(context.machine.places.cwd, path))
  if (found !== null) return found
  throw new Failure('outside-project', `${path} is not in the project ${project.path}.`)
}

export function check(context: Context, { readData }: { readData: boolean }): void {
  using project = openHere(context)
  const report = checkProject(context.machine, project, { readData })
  if (context.json) context.print(checkView(report))
  else context.write(checkText(allVisible(report), context.paint))
  const { database, records, contents, transcripts, vault } = report
  const isWhole = [database, records, contents, transcripts, vault].every(
    ({ length }) => length === 0,
  )
  if (!isWhole) process.exitCode = exitCodes.failed
}
