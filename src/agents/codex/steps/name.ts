/** The agent's name in lists, records and the API. */
export const NAME = 'codex'
