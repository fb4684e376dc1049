/**
 * What an address is for. The platform itself fetches some (images), shows some inside a message and takes https alone
 * there (videos), and hands the others to the reader's machine when they are pressed (buttons, links).
 */
export type AddressUse = 'fetched' | 'secure' | 'pressed';

/** Characters that no address holds (RFC 3986), and that no browser forgives. */
const unfit = /[\s\p{Cc}<>"\\]/u;
/** Characters of a value that are percent-encoded; those beyond {@link unfit} stay where an author wrote them. */
const encoded = /[\s\p{Cc}<>"\\^`{|}]/gu;
const schemeOf = /^([a-z][a-z\d+.-]*):/i;
/** The scheme and the host, in which nothing is encoded. */
const start = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?/i;
/** An address of the web as almost all are, so that few need the parser: names, and not numbers, as a host. */
const usual = /^https?:\/\/(?:[a-z\d-]+\.)*[a-z][a-z\d-]*(?:[/?#][^\s\p{Cc}<>"\\]*)?$/iu;
const host = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/** Schemes that run, read or embed something where they are opened. */
const refused = new Set([
  'javascript',
  'vbscript',
  'data',
  'file',
  'blob',
  'filesystem',
  'about',
  'view-source',
]);

/**
 * Schemes that are written without `//`. Any other is an app link, `slack://open`: after what looks like one, no `//`
 * means that it is a host with its port, `localhost:3000`.
 */
const opaque =
  /^(?:mailto|tel|sms|callto|facetime|facetime-audio|geo|im|magnet|maps|msteams|sips?|skype|spotify|xmpp|ms-[a-z-]+):[^/?#]/i;
const appLink = /^[a-z][a-z\d+.-]*:\/\/[/?#]*[^/?#]/i;

const faultOfCharacter = (text: string): string | undefined => {
  const [character] = unfit.exec(text) ?? [];
  if (character === undefined) return undefined;
  if (character === ' ') return 'holds a space (an address has %20 there)';
  return /[\s\p{Cc}]/u.test(character)
    ? 'holds a line break or a control character'
    : `holds \`${character}\``;
};

const faultOfWeb = (text: string): string | undefined => {
  const name = host.exec(text)?.[1] ?? '';
  // An empty label is what a missing part of a host leaves.
  if (name === '' || /^[.:]|\.\./.test(name)) return 'has no host behind its `//`';
  return URL.canParse(text) ? undefined : 'has a host or a port that cannot be one';
};

const faultOfScheme = (scheme: string | undefined, use: AddressUse): string | undefined => {
  if (scheme === undefined) return 'has no scheme';
  if (refused.has(scheme))
    return 'has a scheme that is refused (javascript, vbscript, data, file and the like)';
  if (scheme === 'https') return undefined;
  if (scheme === 'http') return use === 'secure' ? 'begins with `http:`' : undefined;
  return use === 'pressed' ? undefined : 'has another scheme';
};

/**
 * The fault of an address, in words that follow "it"; undefined for a valid one. The words never quote the address.
 */
export const faultOfAddress = (text: string, use: AddressUse): string | undefined => {
  if (usual.test(text)) {
    return use === 'secure' && /^http:/i.test(text) ? 'begins with `http:`' : undefined;
  }
  const character = faultOfCharacter(text);
  if (character !== undefined) return character;
  const scheme = schemeOf.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && /^https?$/.test(scheme)) return faultOfScheme(scheme, use) ?? faultOfWeb(text);
  if (scheme === undefined || refused.has(scheme)) return faultOfScheme(scheme, use);
  // What looks like a scheme may be a host with its port.
  return opaque.test(text) || appLink.test(text)
    ? faultOfScheme(scheme, use)
    : 'has no scheme, or nothing behind it';
};

/**
 * The fault of an address with placeholders that no value can mend.
 *
 * @param head the text before the first placeholder
 * @param parts all texts around placeholders, `head` included
 */
export const faultOfTemplate = (
  head: string,
  parts: readonly string[],
  use: AddressUse,
): string | undefined => {
  const character = parts.map(faultOfCharacter).find((fault) => fault !== undefined);
  // A value may bring the scheme, or the rest of one.
  if (character !== undefined || !/[:/?#]/.test(head)) return character;
  const scheme = schemeOf.exec(head)?.[1]?.toLowerCase();
  const isPort =
    scheme !== undefined && !/^https?$/.test(scheme) && !refused.has(scheme) && !/:\/\//.test(head);
  return isPort ? undefined : faultOfScheme(scheme, use);
};

/**
 * An address that values of the data were put into, with what no address holds percent-encoded behind its host. Marks
 * with a meaning in addresses (`/ ? & = # % +`) stay, so that a whole address in the data passes unchanged.
 */
export const encodeAddress = (text: string): string => {
  const trimmed = text.trim();
  encoded.lastIndex = 0;
  if (!encoded.test(trimmed)) return trimmed;
  const from = start.exec(trimmed)?.[0].length ?? 0;
  return trimmed.slice(0, from) + trimmed.slice(from).replace(encoded, encodeURIComponent);
};
