import type { StepKind } from '#timeline'

/** A map, because a transcript may name its tool `constructor`, which every object has. */
const KINDS = new Map<string, StepKind>([
  ['Bash', 'shell'],
  ['BashOutput', 'shell'],
  ['KillShell', 'shell'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Read', 'read'],
  ['Glob', 'search'],
  ['Grep', 'search'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
  ['TodoWrite', 'plan'],
  ['Agent', 'agent'],
  ['Task', 'agent'],
])

export function kindOfTool(tool: string): StepKind {
  return KINDS.get(tool) ?? 'other'
}
