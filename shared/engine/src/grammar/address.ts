import { isPlain } from '../text/value-in-address.ts';

/**
 * What an address is for. The platform itself fetches some (images), shows some inside a message and takes https alone
 * there (videos), and hands the others to the reader's machine when they are pressed (buttons, links).
 */
export type AddressUse = 'fetched' | 'secure' | 'pressed';

/** Characters that no address holds (RFC 3986), and that no browser forgives. */
const unfit = /[\s\p{Cc}<>"\\]/u;
const schemeOf = /^([a-z][a-z\d+.-]*):/i;
/** The start of an address of the web as almost all are: names, and not numbers, as a host. */
const usualStart = /^https?:\/\/(?:[a-z\d-]+\.)*[a-z][a-z\d-]*(?:[/?#]|$)/i;
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

/** Schemes that are written without `//`, and that a number may stand behind. */
const opaque =
  /^(?:mailto|tel|sms|callto|facetime|facetime-audio|geo|im|magnet|maps|msteams|sips?|skype|spotify|xmpp|ms-[a-z-]+):(?!\/\/)[^#]/i;
/** App links: `slack://open`. */
const appLink = /^[a-z][a-z\d+.-]*:\/\/[/?#]*[^/?#]/i;
/**
 * What looks like a scheme, `onenote:https://…`, and is none: a host with its port (`localhost:3000`), a drive (`c:/x`),
 * the first word of a sentence (`Error: not found`, its space encoded).
 */
const noScheme = /^(?:[a-z]:|[a-z\d+.-]+:(?:\d*(?:[/?#]|$)|%))/i;
/** An address inside an app link: what opens it may run it. */
const inner = /^[a-z][a-z\d+.-]*:([a-z][a-z\d+.-]*):/i;

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
  if (usualStart.test(text) && isPlain(text)) {
    return use === 'secure' && /^http:/i.test(text) ? 'begins with `http:`' : undefined;
  }
  const character = faultOfCharacter(text);
  if (character !== undefined) return character;
  const scheme = schemeOf.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && /^https?$/.test(scheme)) return faultOfScheme(scheme, use) ?? faultOfWeb(text);
  if (scheme === undefined || refused.has(scheme)) return faultOfScheme(scheme, use);
  const within = inner.exec(text)?.[1]?.toLowerCase();
  if (within !== undefined && refused.has(within)) return faultOfScheme(within, use);
  return opaque.test(text) || appLink.test(text) || !noScheme.test(text)
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

const usualHead = /^https?:\/\/(?:[a-z\d-]+\.)*[a-z][a-z\d-]*[/?#]/i;

/**
 * Makes the test of addresses that are sound beyond doubt, as almost all are; the others are looked at more closely.
 *
 * @param head the text that every one of them begins with
 */
export const soundnessOf = (head: string, use: AddressUse): ((text: string) => boolean) => {
  const isTaken = use !== 'secure' || /^https:/i.test(head);
  if (isTaken && usualHead.test(head)) return isPlain;
  return (text) => usualStart.test(text) && isPlain(text) && (use !== 'secure' || /^https:/i.test(text));
};
