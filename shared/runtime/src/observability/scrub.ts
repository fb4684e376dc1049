const hidden = '[redacted]';

/** What stands between `//` and `@` of an address, and all that follows its `?`. */
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*(?:[^\s@]*@)+/gi;
const query = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?"']*)\?[^\s"']*/gi;

/** Secrets that can be told by how they begin: keys of ours, tokens of the chat platform, signing secrets, sessions. */
const tokens =
  /\b(?:stz_(?:live|test)_\w+|xox[a-z]-[\w-]+|xapp-[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]+(?:\.[\w-]+)*|(Bearer|Basic) +[^\s"',]+)/g;

/** The value behind a name that says that it is secret, as JSON, escaped JSON, XML, a form or a header has it. */
const named =
  /((?:token|secret|password|passwd|api_?key|private_?key|authorization|credential|session)s?\\*["']?\s*[:=>]\s*)((\\+)"[\s\S]*?(?:(?<!\\)\3"|$)|"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&}<]+)/gi;

const quoted = /"[^"]*"|'[^']*'/g;

/** SQLSTATE class 22: Postgres quotes the value that it could not take. */
const isDataException = (code: string | undefined): boolean => code !== undefined && /^22\w{3}$/.test(code);

const withoutTokens = (text: string): string =>
  text.replace(tokens, (_, scheme: string | undefined) => (scheme ? `${scheme} ${hidden}` : hidden));

/** A text from another system without what looks like a token, by its prefix or by the name before it. */
export const withoutSecrets = (text: string): string =>
  withoutTokens(text.replace(named, (_, name: string) => `${name}"${hidden}"`));

/** What is known of the error whose text it is. */
export interface ErrorKind {
  type?: string | undefined;
  code?: string | undefined;
}

/**
 * The text of an error without what it may quote: passwords and queries of addresses, tokens, and, where readers of
 * JSON and Postgres quote what they were given, all that stands in quotes.
 */
export function scrubbed(text: string, kind: ErrorKind): string;
export function scrubbed(text: string | undefined, kind: ErrorKind): string | undefined;
export function scrubbed(text: string | undefined, { type, code }: ErrorKind): string | undefined {
  if (text === undefined) return undefined;
  const quotes = type === 'SyntaxError' || isDataException(code) ? text.replace(quoted, hidden) : text;
  return withoutTokens(quotes.replace(userInfo, `$1${hidden}@`).replace(query, `$1?${hidden}`));
}
