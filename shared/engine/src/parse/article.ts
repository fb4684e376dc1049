/** Starts that sound like a vowel: an `input`, but a `users_select` and a `url`. */
const vowel = /^`?(?:[aeio]|u(?!ser|rl))/i;

/** A noun with "a" or "an" before it, inside a sentence. */
export const indefinite = (noun: string): string => `${vowel.test(noun) ? 'an' : 'a'} ${noun}`;

/** A noun with "A" or "An" before it, at the start of a sentence. */
export const withArticle = (noun: string): string => `${vowel.test(noun) ? 'An' : 'A'} ${noun}`;
