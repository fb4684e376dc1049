/** Stanza for agents: tools over the public API. */

export { resultTokens, tokensOf } from './answers.ts';
export { documentationPages } from './pages.ts';
export { listTokens, maxTools } from './sends.ts';
export { type Asked, createServer, type ServerOptions, scopesOfTool } from './server.ts';
export type { AnyTool } from './tool.ts';
export { tools } from './tools/index.ts';
