/**
 * Drives the real Claude Code against the scripted model, inside a scene.
 *
 * ```ts
 * await using s = await scene()
 * await using model = await scriptedModel()
 * const agent = claudeCode(s, model)
 * model.on('T1', [write('a.txt', '1\n'), 'done'])
 * const { sessionId } = await agent.prompt('T1')
 * await agent.prompt('T2', { resume: sessionId })
 * expect(model.userTexts()).toEqual(['T1', 'T2'])
 * const tui = await agent.interactive({ resume: sessionId })
 * await tui.submit('T3')
 * await tui.waitFor(/ok/)
 * ```
 */
export { claudeCode, type PromptOptions } from './claude-code.ts'
export { helloSession } from './recorded.ts'
