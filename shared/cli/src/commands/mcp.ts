import { isObject, type JsonObject } from '../files/canonical.ts';
import { CommandProblem, faultIn, textOf } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { headersFor } from '../sign-in/fresh-profile.ts';
import type { AddCommand } from './command.ts';

/** Headers of a message by the revision 2026-07-28, which says them next to the message too. */
const headersOf = (message: JsonObject): Record<string, string> => {
  const params = isObject(message.params) ? message.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  const version = meta['io.modelcontextprotocol/protocolVersion'];
  if (typeof version !== 'string') return {};
  return {
    'MCP-Protocol-Version': version,
    ...(typeof message.method === 'string' && { 'Mcp-Method': message.method }),
    ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
  };
};

/** The messages in an answer: JSON, or the data of a stream of events. */
const messagesOf = (type: string, text: string): string[] => {
  if (text.trim() === '') return [];
  if (!type.includes('text/event-stream')) return [text];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.length > 'data:'.length)
    .map((line) => line.slice('data:'.length).trim())
    .filter((data) => data !== '');
};

/** Codes of JSON-RPC. */
const codes = { notJson: -32_700, noRequest: -32_600, internal: -32_603 } as const;

/** What a host is told where the gateway gave no answer of the protocol. */
const failure = (id: unknown, message: string, code: number = codes.internal): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

const refusalOf = ({ status, headers }: Response, text: string): string => {
  try {
    const answer: unknown = JSON.parse(text);
    if (isObject(answer) && typeof answer.error === 'string') return answer.error;
  } catch {
    // A page of a proxy in between: its status says enough.
  }
  const place = status >= 300 && status < 400 ? headers.get('location')?.split('?')[0] : undefined;
  return `The address answered ${status} ${place ? `and redirects to ${place}, which is not followed` : 'without a message'}.`;
};

const sessionHeader = 'mcp-session-id';

/** What the gateway has named the session of the host; it holds the host's name. */
interface Session {
  id: string | undefined;
}

/** The message of a line, or the refusal of a line that has none. */
const messageIn = (line: string): JsonObject | string => {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : failure(null, 'The line is no message.', codes.noRequest);
  } catch {
    return failure(null, 'The line is not JSON.', codes.notJson);
  }
};

/** Hands one message of the host to the gateway. @returns the lines for the host */
const answerTo = async (
  { line, message }: { line: string; message: JsonObject },
  setting: Setting,
  session: Session,
): Promise<string[]> => {
  const { signal } = setting.terminal;
  try {
    // Asked for with each message, since the token of a session is renewed in the meantime.
    const profile = await setting.profile();
    const answer = await fetch(`${profile.url}/mcp`, {
      method: 'POST',
      headers: {
        ...headersFor(profile),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headersOf(message),
        ...(session.id !== undefined && { [sessionHeader]: session.id }),
      },
      // As it stands, with numbers that JSON.parse would round.
      body: line,
      // The credentials are for this address alone.
      redirect: 'manual',
      signal,
    });
    session.id = answer.headers.get(sessionHeader) ?? session.id;
    const text = await answer.text();
    const messages = messagesOf(answer.headers.get('content-type') ?? '', text);
    // The page of something in between would be no line of the protocol, and leave the host without an answer.
    const isAnswer = answer.ok || messages.length > 0;
    if (isAnswer && messages.every((it) => it.includes('"jsonrpc"'))) return messages.map((it) => it.trim());
    return message.id === undefined ? [] : [failure(message.id, refusalOf(answer, text))];
  } catch (error) {
    if (signal.aborted || message.id === undefined) return [];
    if (error instanceof CommandProblem) return [failure(message.id, textOf(error))];
    return [failure(message.id, `The gateway cannot be reached: ${faultIn(error)}`)];
  }
};

const serve = async (setting: Setting): Promise<void> => {
  // Without a profile nothing is served.
  await setting.profile();
  const { lines, out } = setting.terminal;
  const underWay = new Set<Promise<void>>();
  const session: Session = { id: undefined };
  for await (const line of lines()) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if (typeof message === 'string') {
      out(message);
      continue;
    }
    const answering = answerTo({ line, message }, setting, session)
      .then((answers) => answers.forEach((it) => void out(it)))
      .finally(() => underWay.delete(answering));
    underWay.add(answering);
    // What follows belongs to the session that this begins.
    if (message.method === 'initialize') await answering;
  }
  await Promise.all(underWay);
};

/** `stanza mcp`. */
export const addMcp: AddCommand = (program, setting) =>
  program
    .command('mcp')
    .description('serve an agent on this machine: the tools of the gateway over standard input and output')
    .action(() => serve(setting()));
