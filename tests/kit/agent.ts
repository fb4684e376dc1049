import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';

const main = join(import.meta.dirname, '../../shared/cli/src/main.ts');

/** The revisions of the protocol, each with how a client is made to speak it. */
export const protocolRevisions = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

/** See {@link protocolRevisions}. */
export type AgentMode = (typeof protocolRevisions)[number][1];

const newClient = (mode: AgentMode): Client =>
  new Client({ name: 'scripted-agent', version: '1.0.0' }, { versionNegotiation: { mode } });

/** Connects a client of the protocol to a gateway, as the holder of a key or session. */
export const connectAgent = async (
  base: string,
  token: string,
  mode: AgentMode = 'legacy',
): Promise<Client> => {
  const client = newClient(mode);
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } });
  await client.connect(transport);
  return client;
};

/** Starts `stanza` with these words as a host does, and connects a client of the protocol to it. */
export const connectProgram = async (
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  mode: AgentMode = 'legacy',
): Promise<Client> => {
  const client = newClient(mode);
  const args = ['--conditions=@stanza/source', '--no-warnings', main, ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...env } }));
  return client;
};

/** Calls a tool, and answers what it says. */
export const useTool = async (client: Client, name: string, input: object = {}) => {
  const {
    isError = false,
    structuredContent = {},
    content,
  } = await client.callTool({
    name,
    arguments: { ...input },
  });
  return {
    isError,
    content: z.record(z.string(), z.unknown()).parse(structuredContent),
    text: JSON.stringify(content),
  };
};
