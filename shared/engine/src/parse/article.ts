/** A noun with "A" or "An" before it, at the start of a sentence. */
export const withArticle = (noun: string): string => `${/^`?[aeiou]/i.test(noun) ? 'An' : 'A'} ${noun}`;
