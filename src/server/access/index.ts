/** Access control: tokens, signed-in browsers, allowed hosts and origins, connections. */
export { type Browsers, openBrowsers } from './browsers.ts'
export { type Connections, openConnections } from './connections.ts'
export { type Door, makeDoor } from './door.ts'
export { ownHosts } from './guard.ts'
export { type Keys, makeKeys } from './keys.ts'
