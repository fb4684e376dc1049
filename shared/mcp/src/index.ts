/** Stanza for agents: tools over the public API. */

export { resultTokens, tokensOf } from './answers.ts';
export { createServer, type ServerOptions } from './server.ts';
export type { AnyTool } from './tool.ts';
export { tools } from './tools/index.ts';
