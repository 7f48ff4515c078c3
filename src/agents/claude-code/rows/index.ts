/** A transcript as rows: reads each byte once, and names damage. */
export { classifyUserRow, field, string, textOf } from './prompt.ts'
export { intoLine, readLine } from './read-line.ts'
export type { CheckpointRow, Pointer, Row, Title } from './row.ts'
export { cutSegments, joinLists, openSegments, type Part, type Segments } from './segments.ts'
export { type Lists, readAppended, readTranscript, type Transcript } from './transcript.ts'
