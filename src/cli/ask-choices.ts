import { createInterface } from 'node:readline/promises'
import { diffPlanFile, type PlannedOperation, type Project } from '#engine'
import type { Choice, FilePlan, ProjectPath } from '#timeline'
import type { Context } from './context.ts'
import { diffText } from './text/show-text.ts'
import { allVisible, visible } from './visible.ts'

const WORDS: Record<Choice, string> = {
  'keep-mine': '[k]eep mine',
  'put-back': '[p] restore the old version (yours is saved)',
  mark: '[m] keep both, with conflict markers',
}

const KEYS: Readonly<Record<string, Choice>> = { k: 'keep-mine', p: 'put-back', m: 'mark' }

/** Asks once per file in conflict. Null: the user quit. */
export async function askChoices(
  context: Context,
  project: Project,
  planned: PlannedOperation,
  signal: AbortSignal,
): Promise<Map<ProjectPath, Choice> | null> {
  const chosen = new Map<ProjectPath, Choice>()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (const [place, file] of planned.plan.files.entries()) {
      if (file.verb !== 'conflict') continue
      const choice = await askOne(file, {
        ask: (question) => terminal.question(question, { signal }),
        show: () => showDiff(context, project, planned, place),
      })
      if (choice === null) return null
      chosen.set(file.path, choice)
    }
    return chosen
  } catch (error) {
    // Readline reads Ctrl-C as a key and rejects the question; the process gets no signal.
    if (error instanceof Error && error.name === 'AbortError') return null
    throw error
  } finally {
    terminal.close()
  }
}

function wordFor(choice: Choice, { sides }: FilePlan): string {
  const deletes = choice === 'put-back' && sides?.theirs.kind === 'absent'
  return deletes ? '[p] delete it (yours is saved)' : WORDS[choice]
}

async function askOne(
  file: FilePlan,
  { ask, show }: { ask: (question: string) => Promise<string>; show: () => void },
): Promise<Choice | null> {
  const { path, choices } = file
  const words = choices.map((choice) => wordFor(choice, file)).join(', ')
  for (;;) {
    const answer = (await ask(`${visible(path)}: ${words}, [d]iff or [q]uit? `))
      .trim()
      .toLowerCase()
    const choice = KEYS[answer.charAt(0)]
    if (choice !== undefined && choices.includes(choice)) return choice
    if (answer.startsWith('d')) show()
    else if (answer === '' || answer.startsWith('q') || answer.startsWith('n')) return null
  }
}

function showDiff(
  context: Context,
  project: Project,
  planned: PlannedOperation,
  place: number,
): void {
  const diff = diffPlanFile(project, planned, place, { reveal: false })
  context.say(diffText(allVisible(diff), context.paint).join('\n'))
}
