/** A number with its noun: “1 item”, “2 items”. */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

/** A noun behind its article: “a test”, “an event”. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** A name as programs write it, for people: “due_date” is “Due date”. Words that people wrote stay as they are. */
export const titled = (name: string): string => {
  const isWritten = /\S\s+\S/.test(name);
  const words = isWritten ? name : name.replaceAll(/[_\-$\s]+|(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** One of what a list is named after: “Changes” holds a “Change”. A name that is no plural stays. */
export const singular = (name: string): string =>
  name
    .replace(/(?<=[a-z]{2})(?<!\b[Ss]er)ies$/, 'y')
    .replace(/(?<=x|z|ch|sh|ss)es$/, '')
    .replace(/(?<=[^sui])(?<!\b[Ss]erie)s$/, '');

/** As much of a text as a limit takes, without the half of a character at its end. */
export const clipped = (text: string, limit: number): string => text.slice(0, limit).replace(/\p{Cs}$/u, '');
