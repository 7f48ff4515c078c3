/**
 * The scripted model serves the Messages API on a loopback port and answers from its script.
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
 * A script is a list of rounds, one per request of the turn; a prompt without a script is answered
 * with "ok". A round can be a function of the request, to answer with the result of a tool. The
 * agent retries after errors and broken streams, so they do not count as rounds: the next entry
 * answers the retry.
 */
export { responsesModel, type ResponsesModel } from './responses-model.ts'
export { addFile, deleteFile, patch, shell, updateFile } from './responses-items.ts'
export { agent, bash, edit, notebookEdit, read, text, think, tool, write } from './blocks.ts'
export { findWorkingDirectory, lastToolResult } from './conversation.ts'
export { type ReceivedRequest, type ScriptedModel, scriptedModel } from './scripted-model.ts'
