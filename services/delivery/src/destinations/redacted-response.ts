import { withoutSecrets } from '@stanza/runtime';

/** Characters of an answer that are kept. */
const kept = 1_024;
/** Minimum length of a masked secret; shorter ones would match by chance. */
const shortest = 4;

/** Encodings in which a secret may be echoed. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
];

/** Words of a header that are secret by themselves. Credentials have a few, and each is looked for in five spellings. */
const maxWords = 16;

/**
 * The parts of a header's value that are secret by themselves: the value, its words after the scheme, and the decoded basic
 * credentials.
 */
const partsOf = (value: string): string[] => {
  const words = value.split(/[\s,;=]+/, maxWords);
  const decoded = words.flatMap((word) => {
    const [user = '', ...password] = Buffer.from(word, 'base64').toString('utf8').split(':');
    return [user, password.join(':')];
  });
  return [value, ...words.filter((word) => !/^(bearer|basic|token)$/i.test(word)), ...decoded];
};

/** Control characters other than line breaks and tabs. */
const isPrintable = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code !== 0x7f) || character === '\n' || character === '\t' || character === '\r';
};

/** The start of an answer without the sent secrets, or text that looks like one of the receiver's own. */
export const redactedResponse = (text: string, secrets: readonly string[]): string => {
  const parts = new Set(secrets.flatMap(partsOf).filter((part) => part.length >= shortest));
  const sought = [...parts].flatMap(spellings);
  // The longest first, so that no part of one is left.
  const ordered = [...new Set(sought)].sort((one, other) => other.length - one.length);
  const clean = ordered.reduce((left, secret) => left.replaceAll(secret, '********'), text);
  return [...withoutSecrets(clean).slice(0, kept)].filter(isPrintable).join('').toWellFormed();
};
