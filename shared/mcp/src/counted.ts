/** A number of things in a sentence. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Texts of an outline, and letters of each. */
const shown = { texts: 10, letters: 300 };

/** The first of many texts, as far as an outline has room for them. */
export const firstOf = (texts: readonly string[]): string[] =>
  texts.slice(0, shown.texts).map((text) => text.slice(0, shown.letters));
