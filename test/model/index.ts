/**
 * The scripted model speaks the Messages API on a loopback port and says what its script says.
 *
 * ```ts
 * await using model = await scriptedModel()
 * model.on('add login', [[think('hm'), write('a.txt', '1\n')], [bash('npm test')], 'done'])
 * model.on('try hard', [{ error: { status: 529 } }, { blocks: ['par'], broken: true }, 'done'])
 * model.on(/^wait/, [{ blocks: ['half'], hang: 'after' }])
 * model.on('delegate', [agent('sub work'), 'done'])
 * model.on('sub work', [write('b.txt', '2\n'), 'sub done'])
 * // … run an agent …
 * expect(model.conversation()).toEqual(['user: add login', 'assistant: thinking hm', …])
 * ```
 *
 * A script is a list of rounds, one per request of the turn; a prompt without a script is
 * answered with "ok". A round can be a function of the request, to answer with what a tool gave. Errors and broken streams are tried again by the agent, so they do not
 * count as rounds: the next entry answers the next try.
 */
export { agent, bash, edit, notebookEdit, read, text, think, tool, write } from './blocks.ts'
export { findWorkingDirectory, lastToolResult } from './conversation.ts'
export { type HeardRequest, type ScriptedModel, scriptedModel } from './scripted-model.ts'
