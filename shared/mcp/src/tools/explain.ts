import { errorTable } from '@stanza/contracts';
import { type Stanza, StanzaError } from '@stanza/sdk';
import { z } from 'zod';
import { counted } from '../counted.ts';
import { inputOf, whole } from '../inputs.ts';
import { searchPages } from '../pages.ts';
import { type ToolAnswer, tool } from '../tool.ts';
import { withTools } from '../tool-names.ts';

const known: Readonly<Record<string, { status: number; meaning: string; advice: string }>> = errorTable;

/** Changes, and messages, of one answer. */
const most = 20;

/** What was found, or why it was not looked for: the caller may not read it. */
interface Looked<T> {
  found: T[];
  notLookedAt: string[];
}

/** Reads as far as the caller's scopes allow, and names what they do not. */
const look = async <T>(what: string, read: () => Promise<T[]>): Promise<Looked<T>> => {
  try {
    return { found: await read(), notLookedAt: [] };
  } catch (error) {
    if (!(error instanceof StanzaError)) throw error;
    if (error.code !== 'insufficient_scope' && error.code !== 'access_denied') throw error;
    return { found: [], notLookedAt: [`${what}: needs ${error.requiredScopes.join(' and ')}`] };
  }
};

/** What a request of the caller's own organization has changed and sent. */
const explainRequest = async (stanza: Stanza, request_id: string): Promise<ToolAnswer> => {
  const query = { request_id, limit: most };
  const changes = await look('audit log', async () => (await stanza.auditLog.list(query).page()).data);
  const messages = await look('message log', async () => (await stanza.messages.list(query).page()).data);
  const errors = [...new Set(messages.found.flatMap(({ error }) => (error === undefined ? [] : [error])))];
  const notLookedAt = [...changes.notLookedAt, ...messages.notLookedAt];
  const nothing =
    changes.found.length + messages.found.length === 0
      ? ' A request that reads, or is refused, leaves no trace here; its answer says why.'
      : '';
  return {
    sentence: `The request has made ${counted(changes.found.length, 'change')} and asked for ${counted(messages.found.length, 'message')}, as far as your scopes show.${nothing}`,
    content: {
      request_id,
      changes: changes.found.map(({ action, subject, changes: facts, created_at }) => ({
        action,
        subject,
        changes: facts,
        created_at,
      })),
      messages: messages.found.map(
        ({ id, status, error, error_details, destination, attempts, created_at }) => ({
          id,
          status,
          error: error ?? null,
          error_details: error_details ?? null,
          destination,
          attempts,
          created_at,
        }),
      ),
      what_to_do: errors.map((code) => ({
        code,
        ...known[code],
        advice: withTools(known[code]?.advice ?? ''),
      })),
      not_looked_at: notLookedAt,
    },
    outline: {
      request_id,
      changes: changes.found.map(({ action }) => action),
      messages: messages.found.map(({ id, status, error }) => ({ id, status, error: error ?? null })),
      not_looked_at: notLookedAt,
    },
  };
};

/** The request of a message, where the id is that of one which the caller may read. */
const requestOfMessage = async (stanza: Stanza, id: string): Promise<string | undefined> => {
  try {
    return (await stanza.messages.get(id)).request_id;
  } catch (error) {
    if (error instanceof StanzaError && error.status !== undefined && error.status < 500) return undefined;
    throw error;
  }
};

/** What a request has changed and sent, by its id or that of a message of it. */
const explainId = async (stanza: Stanza, id: string): Promise<ToolAnswer> => {
  const requestId = z.uuid().safeParse(id).success ? await requestOfMessage(stanza, id) : undefined;
  return explainRequest(stanza, requestId ?? id);
};

/** Passages of one answer, and letters of each that is not asked for whole. */
const passages = { most: 5, letters: 700 };

/** What the documentation says of some words. */
const searchFor = (words: string): ToolAnswer => {
  const found = searchPages(words, passages.most);
  return {
    isOurs: true,
    sentence:
      found.length === 0
        ? 'The documentation says nothing of these words.'
        : `${counted(found.length, 'passage')} of the documentation, the best fitting first. Each page is a resource too.`,
    content: { passages: found },
    outline: {
      passages: found.map(({ text, ...about }) => ({ ...about, text: text.slice(0, passages.letters) })),
    },
  };
};

/** Tells what an error code means, what a request has done, and what the documentation says. */
export const explain = tool({
  name: 'explain',
  title: 'Explain an error, a request, or how something is done',
  description:
    'With the code of an error: what it means, and what to do. With the id of a request (request_id of an error) or of a message: what it changed and sent, and what came of it, as far as your scopes show. With words: what the documentation says of them. Without any: all codes.',
  scopes: [],
  changes: false,
  input: inputOf({
    code: z.string().max(60).optional().describe('the code of an error'),
    request_id: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('of an error, of a request of yours, or the id of a message'),
    words: z.string().min(2).max(100).optional().describe('what to look for in the documentation'),
    whole,
  }),
  output: {
    code: 'string',
    codes: 'array',
    advice: 'string',
    passages: 'array',
    changes: 'array',
    messages: 'array',
    what_to_do: 'array',
    not_looked_at: 'array',
  },
  run: async (stanza, { code, request_id, words }) => {
    if (words !== undefined) return searchFor(words);
    if (request_id !== undefined) return explainId(stanza, request_id);
    const codes = Object.keys(known);
    if (code === undefined) return { isOurs: true, sentence: 'All codes of errors.', content: { codes } };
    const entry = Object.hasOwn(known, code) ? known[code] : undefined;
    if (entry === undefined)
      return { isOurs: true, sentence: 'There is no such code; these are all.', content: { codes } };
    return {
      isOurs: true,
      sentence: `${entry.meaning} ${withTools(entry.advice)}`,
      content: { code, ...entry, advice: withTools(entry.advice) },
    };
  },
});
