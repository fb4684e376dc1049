import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { fieldOf } from './agent-name.ts';

const newest = '2026-07-28';
/** Served too: its clients begin with `initialize`. */
const earlier = '2025-11-25';

/** How the refusal of a header lists the revisions whose clients send it. */
const ofHeaders = '(supported versions: ';

const errorNaming = (error: unknown): object | undefined => {
  const [message, data] = [fieldOf(error, 'message'), fieldOf(error, 'data')];
  const supported = fieldOf(data, 'supported');
  if (fieldOf(error, 'code') === ProtocolErrorCode.UnsupportedProtocolVersion && Array.isArray(supported)) {
    const named = { ...Object(data), supported: [...new Set([...supported, earlier])] };
    return { ...Object(error), data: named };
  }
  if (typeof message !== 'string' || !message.includes(ofHeaders)) return undefined;
  return { ...Object(error), message: message.replace(ofHeaders, `${ofHeaders}${newest}, `) };
};

/** An answer as the protocol made it; one that refuses a revision names every revision that is served. */
export const namingRevisions = async (answer: Response): Promise<Response> => {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (answer.status !== 400 || !isJson) return answer;
  const { status, headers } = answer;
  const text = await answer.text();
  const body: unknown = JSON.parse(text);
  const error = errorNaming(fieldOf(body, 'error'));
  return error === undefined
    ? new Response(text, { status, headers })
    : Response.json({ ...Object(body), error }, { status });
};
