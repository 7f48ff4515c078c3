import os from 'node:os'
import { examine, isServerNewer, readServerRecord, readShapes, type Finding } from '#engine'
import { bugReportView, doctorView, onCommandLine, openClient } from '#protocol'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { bugReportText } from '../text/bug-report-text.ts'
import { doctorText } from '../text/doctor-text.ts'
import { valueOrigins } from '../value-origins.ts'
import { allVisible } from '../visible.ts'

export async function doctor(
  context: Context,
  { version, report }: { version: string; report: boolean },
): Promise<void> {
  const { machine, wanted } = context
  const findings: Finding[] = [
    {
      about: 'node',
      state: 'fine',
      says: `Retake ${version} on Node ${process.versions.node}, ${process.platform}.`,
      cure: null,
    },
    ...(await examine(machine, wanted.project ?? machine.places.cwd)),
    await checkServer(context),
  ]
  const values = valueOrigins(machine, context.environment, process.env)
  const view = doctorView(version, findings, values, onCommandLine)
  if (report) {
    const shapes = await readShapes(machine, wanted.project ?? machine.places.cwd)
    const system = `${process.platform} ${process.arch}, ${os.release()}`
    const said = bugReportView(view, { node: process.versions.node, system, shapes })
    if (context.json) context.print(said)
    else context.write(bugReportText(said))
    return
  }
  if (context.json) context.print(view)
  else context.write(doctorText(allVisible(view), context.paint))
  if (!view.healthy) process.exitCode = exitCodes.failed
}

/** A killed server leaves its record behind; the next start removes it. */
async function checkServer({ machine }: Context): Promise<Finding> {
  const record = readServerRecord(machine.disk, machine.places.runtime)
  if (record === null && isServerNewer(machine.disk, machine.places.runtime))
    return {
      about: 'server',
      state: 'note',
      says: 'A newer version of Retake runs the server here, or was killed.',
      cure: 'Update Retake, or end that server.',
    }
  if (record === null)
    return {
      about: 'server',
      state: 'fine',
      says: 'The server is not running. `retake` starts it.',
      cure: null,
    }
  const { url, token, pid } = record
  const fetch: typeof globalThis.fetch = (input, init) =>
    globalThis.fetch(input, { ...init, signal: AbortSignal.timeout(2000) })
  try {
    await openClient({ origin: url, token, fetch }).health({})
    return {
      about: 'server',
      state: 'fine',
      says: `The server is running (process ${pid}).`,
      cure: null,
    }
  } catch {
    return {
      about: 'server',
      state: 'note',
      says: `The server (process ${pid}) does not answer.`,
      cure: 'Run `retake` to start it again. If that process is still running, end it first.',
    }
  }
}
