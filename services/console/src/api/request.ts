import { isObject } from '../json.ts';

/** Where the console acts. A session of an API key has its own organization and environment whatever is named here. */
export interface Place {
  organization: string;
  environment: 'production' | 'preview';
}

/** A failure that the API answered, or that kept the API from answering. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The API's error code; `unreachable` where there was no answer. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** It is the answer to the same request before. */
  readonly isReplayed: boolean;
  /** The rest of the answer: `issues`, `details`, `required_scopes`, `user_scopes`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    facts: {
      status: number;
      code: string;
      requestId?: string;
      isReplayed?: boolean;
      body?: Readonly<Record<string, unknown>>;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.isReplayed = facts.isReplayed ?? false;
    this.body = facts.body ?? {};
  }
}

/** Parts of a request besides its method and path. */
export interface RequestOptions {
  place?: Place | undefined;
  body?: unknown;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Gets the `ETag` of the answer, which `If-Match` names. */
  onTag?: (tag: string) => void;
}

const addressOf = (path: string, query: RequestOptions['query'] = {}): string => {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
};

const headersOf = ({ place, body, headers }: RequestOptions): Record<string, string> => ({
  // Forms and links of other pages cannot send it, and the cookie counts only with it.
  'X-Stanza-Console': '1',
  ...(place && { 'X-Stanza-Organization': place.organization, 'X-Stanza-Environment': place.environment }),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...headers,
});

/** Errors of what stands before the gateway need not be JSON. */
const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const errorOf = (response: Response, body: unknown): ApiError => {
  const facts = isObject(body) ? body : {};
  const text = [facts.error, facts.message].find((it) => typeof it === 'string');
  return new ApiError(typeof text === 'string' ? text : `The server answered ${response.status}.`, {
    status: response.status,
    code: typeof facts.code === 'string' ? facts.code : 'internal_error',
    requestId: response.headers.get('X-Request-Id') ?? '',
    isReplayed: response.headers.get('Idempotency-Replayed') === 'true',
    body: facts,
  });
};

const unreachable = (options: ErrorOptions): ApiError =>
  new ApiError(
    'The server cannot be reached. What you have written is kept.',
    { status: 0, code: 'unreachable' },
    options,
  );

/**
 * Calls the API with the cookie of the session. The type of the answer is the caller's word: the server has checked
 * what it answers against its contract.
 * @param path begins with `/v1`, or with `/console/auth`
 * @throws ApiError
 */
export const request = async <T = unknown>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<T> => {
  const { body, query, signal } = options;
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(path, query), {
      method,
      credentials: 'same-origin',
      // What is shown is asked for; a copy of the browser's own may be older than what its tag says nothing of.
      cache: 'no-store',
      headers: headersOf(options),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    // The line may break in the middle of an answer, too.
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw unreachable({ cause });
  }
  if (!response.ok) throw errorOf(response, readJson(text));
  options.onTag?.(response.headers.get('ETag') ?? '*');
  try {
    const answer: T = JSON.parse(text === '' ? 'null' : text);
    return answer;
  } catch (cause) {
    // The page of a network that asks people to sign in there is no answer of the server.
    throw unreachable({ cause });
  }
};
