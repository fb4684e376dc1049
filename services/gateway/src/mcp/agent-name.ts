import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

/** A field of a message, which may be anything; undefined where it has none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** Letters of a name that are kept. */
const maxLength = 60;

const plain = (name: string): string | undefined =>
  name.replaceAll(/[^\w .@/-]/g, '').slice(0, maxLength) || undefined;

/** What an agent calls itself in a message, in letters that a log line takes; undefined where it does not. */
export const agentName = (message: unknown): string | undefined => {
  const params = fieldOf(message, 'params');
  const info = fieldOf(fieldOf(params, '_meta'), CLIENT_INFO_META_KEY) ?? fieldOf(params, 'clientInfo');
  const name = fieldOf(info, 'name');
  return typeof name === 'string' ? plain(name) : undefined;
};

/** The header by which a client of the revisions up to 2025-11-25 names its session in each message. */
export const sessionHeader = 'mcp-session-id';

/**
 * A session for an agent that has told its name, which those revisions tell once. It is nothing but the name: no state is
 * kept, and the name is a claim in any case, so it carries no seal.
 */
export const sessionFor = (name: string): string =>
  `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;

/** The name in a session. */
export const agentIn = (session: string | undefined): string | undefined => {
  const [, name = ''] = /^[0-9a-f-]{36}\.([\w-]{1,120})$/.exec(session ?? '') ?? [];
  return plain(Buffer.from(name, 'base64url').toString());
};
