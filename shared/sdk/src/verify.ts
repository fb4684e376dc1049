import { StanzaError } from './errors.ts';
import type { DigestPayload as AnyDigest } from './generated/types.ts';

/** A request as it came in: a `Request`, or its headers and the bytes of its body, before anything has parsed them. */
export type SignedRequest =
  | Request
  | {
      headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
      body: string | Uint8Array;
    };

/** What a signature is checked with. */
export interface VerifyOptions {
  /** The destination's signing secret, `whsec_…`; while it changes, the new one and the one before. */
  secret: string | readonly string[];
  /** Seconds by which the signature may be older or newer than now; 300 unless said otherwise. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock unless said otherwise. */
  now?: () => number;
}

/** A request that Stanza has signed. */
export interface Verified<Payload> {
  /** The same in each attempt at one delivery: whoever remembers it does nothing twice. */
  id: string;
  /** When this attempt was signed. */
  at: Date;
  payload: Payload;
}

/** What a queue delivers to a destination, with the type of its events. */
export type DigestPayload<Event = Record<string, unknown>> = Omit<AnyDigest, 'events' | 'first' | 'last'> & {
  events: Event[];
  first: Event;
  last: Event;
};

/** Also where another library, or the sandbox of a test, has made the `Headers`. */
const isHeaders = (headers: SignedRequest['headers']): headers is Headers =>
  typeof headers.get === 'function';

const headerOf = ({ headers }: SignedRequest, name: string): string => {
  if (isHeaders(headers)) return headers.get(name) ?? '';
  const found = Object.keys(headers).find((it) => it.toLowerCase() === name);
  const value = found === undefined ? undefined : headers[found];
  return Array.isArray(value) ? value.join(' ') : (value ?? '');
};

const bytesOf = async (request: SignedRequest): Promise<Uint8Array> => {
  if ('arrayBuffer' in request) return new Uint8Array(await request.arrayBuffer());
  const { body } = request;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // A program without types may give what a parser has made of it, whose signature cannot be checked.
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError('`body` is to be the text or the bytes as they came, before anything has parsed them');
};

/** @throws where the text is no base64 */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** An empty secret would let anybody sign, so it is an error of the receiver and never the answer to a request. */
const bytesOfSecret = (secret: string): Uint8Array<ArrayBuffer> => {
  const text = secret.replace(/^whsec_/, '');
  const refuse = (why: string) =>
    new TypeError(`\`secret\` is to be the signing secret of a destination, \`whsec_…\`: it is ${why}`);
  // What is a line break alone, as in a file without a secret, decodes to nothing.
  if (!text.trim()) throw refuse('empty');
  try {
    return fromBase64(text);
  } catch {
    throw refuse('not base64');
  }
};

/** @throws TypeError where there is no secret, or one that is none */
const secretsIn = (secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] => {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  // A program without types may give a variable that is not set.
  if (!Array.isArray(secrets) || secrets.some((it) => typeof it !== 'string'))
    throw new TypeError('`secret` is to be the signing secret of a destination, `whsec_…`: it is not set');
  if (secrets.length === 0)
    throw new TypeError('`secret` is to have one or more signing secrets: it has none');
  return secrets.map(bytesOfSecret);
};

const keyOf = (secret: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

const refused = (text: string) => new StanzaError({ code: 'invalid_signature', text, operation: 'verify' });

/** The signatures of the scheme that Stanza uses, of all in a header. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => {
    const [, text] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one) ?? [];
    return text === undefined ? [] : [fromBase64(text)];
  });

const isSigned = async (
  bytes: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> => {
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return true;
  }
  return false;
};

/**
 * Checks what came to a destination: digests, interactions, events. The signature is that of
 * [Standard Webhooks](https://www.standardwebhooks.com) over the bytes as they came.
 *
 * @throws StanzaError `invalid_signature` where it is missing, too old, or made with another secret
 * @throws TypeError where the receiver gives no secret, whatever came, or a body that something has parsed
 */
export const verify = async <Payload = unknown>(
  request: SignedRequest,
  { secret, toleranceSeconds = 300, now = Date.now }: VerifyOptions,
): Promise<Verified<Payload>> => {
  const secrets = secretsIn(secret);
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(request, `webhook-${name}`),
  );
  if (!id || !timestamp || !signature) throw refused('a webhook header is missing');
  const at = new Date(/^\d+$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN);
  if (!(Math.abs(now() - at.getTime()) <= toleranceSeconds * 1_000))
    throw refused('the signature is too old, or from the future');
  const body = await bytesOf(request);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  if (!(await isSigned(bytes, signaturesIn(signature), secrets)))
    throw refused('no signature was made with this secret');
  const payload: Payload = JSON.parse(new TextDecoder().decode(body));
  return { id, at, payload };
};
