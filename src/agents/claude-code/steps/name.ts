/** As its sessions are marked in lists, in records and in the API. */
export const NAME = 'claude-code'
