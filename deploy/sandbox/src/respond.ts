import type { ServerResponse } from 'node:http';

/** Answers with JSON. */
export function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
    })
    .end(bytes);
}

/** Answers for an error that no one expected; logs it. */
export function respondToError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  console.error(JSON.stringify({ level: 'error', msg: 'request failed', error: message }));
  if (response.headersSent) response.destroy();
  else respond(response, 500, { ok: false, error: 'fatal_error', message });
}
