import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { fieldOf } from './agent-name.ts';

/** The revision before the newest one, which is served too: its clients begin with `initialize`. */
const earlier = '2025-11-25';

/** An answer as the protocol made it; one that refuses a revision names every revision that is served. */
export const namingRevisions = async (answer: Response): Promise<Response> => {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (answer.status !== 400 || !isJson) return answer;
  const { status, headers } = answer;
  const text = await answer.text();
  const body: unknown = JSON.parse(text);
  const error = fieldOf(body, 'error');
  const data = fieldOf(error, 'data');
  const supported = fieldOf(data, 'supported');
  const isRefusal = fieldOf(error, 'code') === ProtocolErrorCode.UnsupportedProtocolVersion;
  if (!isRefusal || !Array.isArray(supported)) return new Response(text, { status, headers });
  const named = { ...Object(data), supported: [...new Set([...supported, earlier])] };
  return Response.json({ ...Object(body), error: { ...Object(error), data: named } }, { status });
};
