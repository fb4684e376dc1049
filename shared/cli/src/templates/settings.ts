import { limits } from '@stanza/contracts/limits';
import type { Problem } from '@stanza/engine';
import { type About, aboutTexts, type TemplateContent } from './content.ts';

/** What is wrong with a template, and where. */
export type TemplateProblem = Pick<Problem, 'pointer' | 'message' | 'hint'> & { readonly rule: string };

/** Whether Intl accepts a value: it throws where it does not. */
const isTakenBy = (take: (text: string) => unknown) => (text: string) => {
  try {
    return take(text) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Whether a text is a locale that numbers and dates can be written in. */
export const isLocale = isTakenBy((text) => Intl.DateTimeFormat.supportedLocalesOf(text)[0]);

/** Whether a text is a time zone, as IANA names it. */
export const isTimeZone = isTakenBy((text) => new Intl.DateTimeFormat('en', { timeZone: text }));

const isStored = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The API counts an emoji as one. */
const lengthOf = (text: string): number => [...text].length;

/** One line of text, without the characters that move a cursor or turn the direction of what follows. */
const oneLine = /^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u;

/** What the API takes of each setting. It tells so too, but not before a push has begun. */
const rules: Record<
  (typeof aboutTexts)[number],
  readonly [fits: (text: string) => boolean, otherwise: string]
> = {
  name: [
    (text) => lengthOf(text) <= limits.name && oneLine.test(text),
    `must have ${limits.name} characters at most, in one line without control characters`,
  ],
  description: [
    (text) => lengthOf(text) <= limits.description,
    `must have ${limits.description} characters at most`,
  ],
  type: [(text) => lengthOf(text) <= 64, 'must have 64 characters at most'],
  user_name: [
    (text) => lengthOf(text) <= 80 && !text.includes('{{'),
    'must have 80 characters at most, and no placeholder',
  ],
  icon_emoji: [(text) => /^:[A-Za-z0-9_+'-]{1,100}:$/.test(text), 'must look like :rocket:'],
  fallback_text: [(text) => lengthOf(text) <= 3_000, 'must have 3000 characters at most'],
  locale: [(text) => text.length <= 35 && isLocale(text), 'is no BCP 47 locale, like en-GB'],
  timezone: [(text) => text.length <= 64 && isTimeZone(text), 'is no IANA time zone, like Europe/Berlin'],
};

/** What the API refuses of the settings of a template. */
export const problemsOfSettings = (about: About): TemplateProblem[] =>
  aboutTexts.flatMap((name) => {
    const text = about[name];
    if (text === undefined) return [];
    const [fits, otherwise] = rules[name];
    const message = isStored(text) ? otherwise : 'has a character that cannot be stored';
    return isStored(text) && fits(text) ? [] : [{ pointer: `/${name}`, rule: 'setting', message }];
  });

/** What the API refuses of a template before it looks into the blocks. */
export const problemsAround = ({ about, version }: TemplateContent): TemplateProblem[] => {
  const count = version.blocks.length;
  const message = count === 0 ? 'must have a block' : `must have ${limits.templateBlocks} blocks at most`;
  const isCounted = count > 0 && count <= limits.templateBlocks;
  return [
    ...problemsOfSettings(about),
    ...(isCounted ? [] : [{ pointer: '/blocks', rule: 'setting', message }]),
  ];
};
