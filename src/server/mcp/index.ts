/** The MCP server: tools for a model, over standard input and output. */
export { serveMcp } from './serve-mcp.ts'
