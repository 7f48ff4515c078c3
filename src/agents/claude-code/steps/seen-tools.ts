/**
 * Tools that write nothing, or whose writes the transcript records completely. All others may write
 * unseen, including unknown ones.
 */
export const SEEN = [
  'Agent|Task|Skill|SlashCommand|ToolSearch|ListAgents|SendMessage|DeferredToolPlaceholder',
  'Read|Grep|Glob|LS|NotebookRead|WebFetch|WebSearch|LSP|ListMcpResources.*|ReadMcpResource.*',
  'Edit|MultiEdit|Write|NotebookEdit',
  'TodoRead|TodoWrite|Task(Create|Get|List|Update|Output|Stop)|BashOutput|KillShell|KillBash|ReportFindings',
  'AskUserQuestion|EnterPlanMode|ExitPlanMode|ScheduleWakeup|Cron(Create|Delete|List)',
].join('|')

const seen = new RegExp(`^(?:${SEEN})$`)

export function isSeen(tool: string): boolean {
  return seen.test(tool)
}
