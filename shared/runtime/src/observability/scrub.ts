const hidden = '[redacted]';

/** What comes before the rest of an address; its scheme is not read, for that would begin again at each letter. */
const slashes = '://';

const withoutUserInfo = (word: string): string => {
  const [start, end] = [word.indexOf(slashes), word.lastIndexOf('@')];
  return start === -1 || end < start
    ? word
    : `${word.slice(0, start + slashes.length)}${hidden}${word.slice(end)}`;
};

const withoutQuery = (word: string): string => {
  const start = word.indexOf(slashes);
  const mark = start === -1 ? -1 : word.indexOf('?', start);
  return mark === -1 ? word : `${word.slice(0, mark)}?${hidden}`;
};

/** Secrets with a known prefix: Stanza's keys, tokens of the chat platform, signing secrets, sessions. */
const ownTokens = String.raw`stz_(?:live|test)_\w+|xox[a-z]-[\w-]+|xapp-[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]+(?:\.[\w-]+)*`;

/** Those of AWS, GitHub, GitLab, Stripe, Google, npm, SendGrid and makers of models, and private keys in PEM. */
const foreignTokens = [
  'A(?:KIA|SIA)[A-Z0-9]{16}',
  String.raw`gh[opsur]_\w{20,}|github_pat_\w+`,
  String.raw`gl(?:pat|dt|rt)-[\w-]{16,}`,
  String.raw`(?:sk|rk|pk)_(?:live|test)_\w+`,
  String.raw`AIza[\w-]{30,}|ya29\.[\w-]+`,
  String.raw`npm_\w{30,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]+`,
  String.raw`sk-[\w-]{20,}`,
].join('|');
const tokens = new RegExp(
  String.raw`\b(?:${ownTokens}|${foreignTokens}|(Bearer|Basic) +[^\s"',]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  'g',
);

/** The value of a secret name in JSON, escaped JSON, XML, a form or a header. */
const named =
  /((?:token|secret|password|passwd|api_?key|private_?key|authorization|credential|session)s?\\*["']?\s*[:=>]\s*)((\\+)"[\s\S]*?(?:(?<!\\)\3"|$)|"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&}<]+)/gi;

const quoted = /"[^"]*"|'[^']*'/g;

/** SQLSTATE class 22: Postgres quotes the invalid value. */
const isDataException = (code: string | undefined): boolean => code !== undefined && /^22\w{3}$/.test(code);

const withoutTokens = (text: string): string =>
  text.replace(tokens, (_, scheme: string | undefined) => (scheme ? `${scheme} ${hidden}` : hidden));

/** A text of another system with tokens redacted, found by their prefix or by the name before them. */
export const withoutSecrets = (text: string): string =>
  withoutTokens(text.replace(named, (_, name: string) => `${name}"${hidden}"`));

/** Facts about the error of the text. */
export interface ErrorKind {
  type?: string | undefined;
  code?: string | undefined;
}

/**
 * The text of an error with secrets redacted: passwords and queries of addresses, tokens, and the values that JSON
 * parsers and Postgres quote.
 */
export function scrubbed(text: string, kind: ErrorKind): string;
export function scrubbed(text: string | undefined, kind: ErrorKind): string | undefined;
export function scrubbed(text: string | undefined, { type, code }: ErrorKind): string | undefined {
  if (text === undefined) return undefined;
  const quotes = type === 'SyntaxError' || isDataException(code) ? text.replace(quoted, hidden) : text;
  return withoutTokens(quotes.replace(/\S+/g, withoutUserInfo).replace(/[^\s"']+/g, withoutQuery));
}
