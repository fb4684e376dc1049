import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

/** A field of a message, which may be anything; undefined where it has none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** Letters of a name that are kept. */
const maxLength = 60;

/** What an agent calls itself in a message, in letters that a log line takes; undefined where it does not. */
export const agentName = (message: unknown): string | undefined => {
  const params = fieldOf(message, 'params');
  const info = fieldOf(fieldOf(params, '_meta'), CLIENT_INFO_META_KEY) ?? fieldOf(params, 'clientInfo');
  const name = fieldOf(info, 'name');
  if (typeof name !== 'string') return undefined;
  return name.replaceAll(/[^\w .@/-]/g, '').slice(0, maxLength) || undefined;
};
