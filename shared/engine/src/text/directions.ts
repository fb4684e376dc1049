/** Begins a direction of writing: an embedding or an override, or an isolate (Unicode Annex 9). */
const isEmbedding = (mark: string): boolean =>
  mark >= '\u202A' && mark !== END_OF_EMBEDDING && mark <= '\u202E';
const isIsolate = (mark: string): boolean => mark >= '\u2066' && mark <= '\u2068';
const END_OF_EMBEDDING = '\u202C';
const END_OF_ISOLATE = '\u2069';

/** Marks that begin and end directions, as in a class of a regular expression. */
export const directions = String.raw`\u202A-\u202E\u2066-\u2069`;

/** The next mark, or the end of a line, which ends every direction. */
const markOrEnd = new RegExp(`[${directions}\n\r\u2029]|$`, 'g');

/** The directions that are open, each as the mark that ends it. */
class Open {
  #ends: string[] = [];

  /** Reads a mark. @returns what is written for it: nothing where it would end a direction that began before the value */
  read(mark: string): string {
    if (isEmbedding(mark)) this.#ends.push(END_OF_EMBEDDING);
    else if (isIsolate(mark)) this.#ends.push(END_OF_ISOLATE);
    else if (mark === END_OF_EMBEDDING) return this.#ends.at(-1) === mark ? (this.#ends.pop() ?? '') : '';
    else if (mark === END_OF_ISOLATE) {
      const begun = this.#ends.lastIndexOf(mark);
      if (begun === -1) return '';
      // It ends the embeddings that began inside of the isolate too.
      this.#ends.length = begun;
    } else return this.close() + mark;
    return mark;
  }

  /** Ends all that is open, the innermost first. */
  close(): string {
    const ends = this.#ends.reverse().join('');
    this.#ends = [];
    return ends;
  }
}

/**
 * A value whose directions of writing end with it, so that the text of the template around it is read as it is written:
 * each that it begins is ended in the same line, and it ends no other.
 */
export const endDirections = (value: string): string => {
  const open = new Open();
  return value.replace(markOrEnd, (mark) => open.read(mark));
};
