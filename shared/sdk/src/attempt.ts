import { type AnyCode, type ConnectionFault, type Failed, type Issue, StanzaError } from './errors.ts';
import { version } from './generated/version.ts';
import type { Fetch } from './options.ts';

/** A request as every attempt at it is made. */
export interface Request {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  /** Its answer of success is a stream, which is left to be read. */
  readonly isStream?: true;
  /** The key of the other environment, from which it reads too. */
  readonly sourceKey?: string | undefined;
}

/** What one attempt has besides. */
export interface Attempt {
  readonly number: number;
  readonly idempotencyKey: string | undefined;
  /** Milliseconds until its answer counts as lost. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Who makes the requests of a client, and by what. */
export interface Sender {
  readonly fetch: Fetch;
  /** The address of the gateway, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Of every request, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer of success. */
export interface Success {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON text; empty where there is no content, and where it is a stream. */
  readonly text: string;
  readonly stream?: ReadableStream<Uint8Array> | undefined;
}

interface ErrorObject {
  code: AnyCode;
  error?: unknown;
  message?: string;
  details?: string;
  error_details?: string;
  required_scopes?: string[];
  user_scopes?: string[];
  docs?: unknown;
}

/** Other services name codes too, as those behind the same proxy: their errors say nothing of a request to Stanza. */
const isErrorObject = (value: unknown): value is ErrorObject => {
  const { code, error, details = '' } = Object(value);
  return (
    typeof code === 'string' && ['string', 'object'].includes(typeof error) && typeof details === 'string'
  );
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so not an answer of Stanza; the caller sees to that.
    return undefined;
  }
};

/** Seconds that an answer asks to wait. A proxy may name the end instead, by the clock that the answer's date shows. */
const secondsIn = (headers: Headers): number | undefined => {
  const asked = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(asked)) return Number(asked);
  if (!asked.endsWith(' GMT')) return undefined;
  const seconds = (Date.parse(asked) - Date.parse(headers.get('date') ?? new Date().toUTCString())) / 1_000;
  return seconds > 0 ? seconds : undefined;
};

/** The address of a page of the gateway, or of one elsewhere that a browser opens. */
const addressOf = (url: string, page: unknown): string | undefined => {
  if (typeof page !== 'string') return undefined;
  if (/^\/(?!\/)/.test(page)) return url + page;
  return /^https?:\/\//.test(page) ? page : undefined;
};

/** Issues that the text of an error has; all are in `issues`. */
const shownIssues = 5;

/** A line of issues, cut where there are many. */
const shortened = (line: string, issues: readonly Issue[]): string => {
  if (issues.length <= shownIssues) return line;
  const shown = issues.slice(0, shownIssues).map((it) => `${it.path.join('.')}: ${it.message}`);
  return `${shown.join('; ')}; and ${issues.length - shownIssues} more in \`issues\``;
};

/** What an answer of failure says. */
const failedOf = ({ status, headers, text }: Success, url: string): Failed => {
  const answer = parse(text);
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfter = secondsIn(headers);
  if (!isErrorObject(answer)) {
    // A proxy on the way has given up: the request may have arrived, as when there is no answer at all.
    const code = status >= 500 ? 'no_answer' : 'unreadable_answer';
    // The rest of such an address, as of a page to sign in, may be long.
    const place = status >= 300 && status < 400 ? headers.get('location')?.split('?')[0] : undefined;
    const said =
      place === undefined ? 'without an error of Stanza' : `and redirects to ${place}, which is not followed`;
    return { code, text: `the address answered ${status} ${said}`, requestId, retryAfter };
  }
  const { error, message, details, error_details, required_scopes, user_scopes, docs } = answer;
  const issues: Issue[] = Array.isArray(Object(error).issues) ? Object(error).issues : [];
  return {
    code: answer.code,
    text: typeof error === 'string' ? error : shortened(message ?? '', issues),
    requestId,
    details,
    errorDetails: error_details,
    issues,
    requiredScopes: required_scopes ?? [],
    userScopes: user_scopes ?? [],
    retryAfter,
    replayed: headers.has('idempotency-replayed'),
    docs: addressOf(url, docs),
  };
};

/** Codes of texts that come without one: those of Deno, and of a port that `fetch` refuses. */
const codeOfText: readonly (readonly [text: RegExp, code: string])[] = [
  [/connect error: connection refused/i, 'ECONNREFUSED'],
  [/dns error: /, 'ENOTFOUND'],
  [/invalid peer certificate|received corrupt message/, 'ERR_TLS_HANDSHAKE'],
  [/^bad port$|requests to port \d+ are blocked/i, 'ERR_BLOCKED_PORT'],
];

/**
 * What platforms say of a broken connection without a cause: browsers, Deno, React Native. Whatever speaks of a connection
 * counts, since a fault that is taken for a mistake is never tried again.
 */
const saysBroken =
  /failed to fetch|fetch failed|load failed|network|connect|socket|terminated|timed? ?out|^error /i;

/** Whether `fetch` was no more than called: another attempt would end the same. */
const isMistake = (error: unknown): error is TypeError =>
  error instanceof TypeError &&
  error.cause === undefined &&
  !('code' in error) &&
  !saysBroken.test(error.message);

/** The status with which a proxy has opened no way, which Node tells below a cancelled request. */
const statusOfProxy = (cause: unknown): string | undefined =>
  /^Proxy response \((\d{3})\)/.exec(String(Object(Object(cause).cause).message))?.[1];

/** What the platform says of what broke, without its text: it may hold what was sent. */
const faultOf = (error: unknown): ConnectionFault => {
  const { cause, name } = Object(error);
  const status = statusOfProxy(cause);
  if (status !== undefined) return { code: `ERR_PROXY_${status}` };
  const { code, syscall, hostname, address, port, message } = Object(cause ?? error);
  const told = codeOfText.find(([text]) => text.test(String(message)))?.[1];
  return {
    code: String(code || (told ?? name ?? 'unknown')),
    ...(typeof syscall === 'string' && { syscall }),
    ...(typeof hostname === 'string' && { hostname }),
    ...(typeof address === 'string' && { address }),
    ...(typeof port === 'number' && { port }),
  };
};

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'it took too long to connect',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long to connect',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EAI_AGAIN: 'its address could not be looked up',
  ENOTFOUND: 'the host is unknown',
};

/** Codes of a certificate or a handshake that another attempt does not change. */
const ofTls = /^(CERT_|DEPTH_ZERO_|EPROTO$|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/;

const hostOf = (url: string): string => {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
};

/** Where it broke, if that is not where the request was to go: at a proxy. */
const elsewhere = (url: string, { hostname, address, port }: ConnectionFault): string => {
  const own = new URL(url);
  const isOther =
    (hostname !== undefined && hostname !== own.hostname) ||
    (port !== undefined && !hostOf(url).endsWith(`:${port}`));
  const place = [hostname ?? address, port].filter((it) => it !== undefined).join(':');
  return isOther ? ` at ${place}, as of a proxy` : '';
};

/** The failure of an attempt without an answer: where it went, and what broke. */
const brokenOf = (url: string, cause: ConnectionFault): Failed => {
  const { code } = cause;
  const [, status] = /^ERR_PROXY_(\d+)$/.exec(code) ?? [];
  if (status !== undefined)
    return {
      code: 'no_answer',
      text: `no answer from ${hostOf(url)}: the proxy on the way answered ${status}`,
      cause,
    };
  if (ofTls.test(code))
    return { code: 'tls_failed', text: `no secure connection to ${hostOf(url)}: ${code}`, cause };
  const said = faults[code];
  const text = `no answer from ${hostOf(url)}: ${said === undefined ? code : `${said} (${code})`}${elsewhere(url, cause)}`;
  return { code: 'no_answer', text, cause };
};

/** Node, Deno, Bun and workers name themselves there. */
const platform = globalThis.navigator?.userAgent?.split(' ')[0] ?? '';
const userAgent = `stanza-sdk/${version} ${platform}`.trim();

const headersOf = (
  { key, headers }: Sender,
  { operation, body, sourceKey }: Request,
  idempotencyKey: string | undefined,
) => ({
  'user-agent': userAgent,
  ...headers,
  authorization: `Bearer ${key}`,
  ...(body !== undefined && {
    'content-type': operation.startsWith('scim.') ? 'application/scim+json' : 'application/json',
  }),
  ...(sourceKey !== undefined && { 'x-source-authorization': `Bearer ${sourceKey}` }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
});

/**
 * Makes one attempt at a request. It has an abort of its own, so that nothing stays behind at a signal of the caller that
 * outlives the call.
 *
 * @returns the failure where it is none of success
 * @throws TypeError where the program makes a mistake that every attempt would meet
 */
export const attempt = async (
  sender: Sender,
  request: Request,
  { number, idempotencyKey, timeoutMs, signal }: Attempt,
): Promise<Success | StanzaError> => {
  const { operation, method, url, body, isStream } = request;
  const fail = (failed: Failed) =>
    new StanzaError({ ...failed, operation, idempotencyKey, attempts: number });
  const own = new AbortController();
  const end = () => own.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    own.signal.throwIfAborted();
    const headers = headersOf(sender, request, idempotencyKey);
    const response = await sender.fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: own.signal,
    });
    const { status } = response;
    if (isStream && response.ok)
      return { status, headers: response.headers, text: '', stream: response.body ?? undefined };
    const answer = { status, headers: response.headers, text: await response.text() };
    return response.ok ? answer : fail({ ...failedOf(answer, sender.url), status });
  } catch (error) {
    if (!own.signal.aborted) {
      const fault = faultOf(error);
      if (fault.code === 'ERR_BLOCKED_PORT')
        throw new TypeError(`\`url\` has a port to which \`fetch\` does not connect: ${hostOf(url)}`);
      if (isMistake(error))
        throw new TypeError(`\`fetch\` has thrown: ${error.message.replaceAll(sender.key, '…')}`);
      return fail(brokenOf(url, fault));
    }
    return fail({
      code: 'no_answer',
      text: `no answer from ${hostOf(url)} within ${Math.round(timeoutMs)} ms`,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
};

/** Whether JSON may be an answer: a proxy on the way, or another service, may answer a text, a list or `null`. */
const isAnswer = <T extends object>(value: unknown): value is T =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The content of an answer of success, which is an object.
 * @param list the key of the list that the client itself goes through; `{}` of a proxy has none
 */
export const contentOf = <T extends object>(
  { status, headers, text: content }: Success,
  operation: string,
  { idempotencyKey, number: attempts }: Pick<Attempt, 'idempotencyKey' | 'number'>,
  list?: keyof T,
): T => {
  const answer = parse(content);
  // The registry says what the operation answers, and the server's tests hold it to that.
  if (isAnswer<T>(answer) && (list === undefined || Array.isArray(answer[list]))) return answer;
  const what = answer === undefined ? 'what is not JSON' : 'JSON that is not of Stanza';
  throw new StanzaError({
    code: 'unreadable_answer',
    text: `the address answered ${status} with ${what}`,
    operation,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    idempotencyKey,
    attempts,
  });
};
