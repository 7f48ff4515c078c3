import type { StepKind } from '#timeline'

/** A map, because a rollout may name its tool `constructor`, which every object has. */
const KINDS = new Map<string, StepKind>([
  ['exec_command', 'shell'],
  ['shell', 'shell'],
  ['shell_command', 'shell'],
  ['local_shell', 'shell'],
  ['container.exec', 'shell'],
  ['write_stdin', 'shell'],
  ['apply_patch', 'edit'],
  ['view_image', 'read'],
  ['read_file', 'read'],
  ['list_dir', 'read'],
  ['grep_files', 'search'],
  ['tool_search', 'search'],
  ['web_search', 'web'],
  ['update_plan', 'plan'],
  ['spawn_agent', 'agent'],
])

/** Tools that write nothing in a project, or whose writes the rollout records. */
const SEEN = new Set(
  (
    'apply_patch view_image read_file list_dir grep_files tool_search web_search update_plan ' +
    'spawn_agent send_input send_message followup_task wait wait_agent close_agent resume_agent ' +
    'interrupt_agent list_agents request_user_input request_permissions image_generation ' +
    'get_goal create_goal update_goal list_mcp_resources list_mcp_resource_templates ' +
    'read_mcp_resource'
  ).split(' '),
)

export function kindOfTool(tool: string): StepKind {
  return KINDS.get(tool) ?? 'other'
}

export function isSeen(tool: string): boolean {
  return SEEN.has(tool)
}
