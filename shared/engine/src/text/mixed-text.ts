/** A part of a text: a value of the data, or words that the template gave a filter. */
interface Part {
  readonly text: string;
  /** Marks of styles work in it, as they do in the rest of the template; entities are escaped. */
  readonly isStyled: boolean;
}

/** A value that holds words of the template: what `join` puts between items, what `default` and `plural` say. */
export class MixedText {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  /** The whole as filters read it. */
  get text(): string {
    return this.parts.map(({ text }) => text).join('');
  }

  /** Whether all of it is words of the template. */
  get isWords(): boolean {
    return this.parts.every(({ text, isStyled }) => isStyled || text === '');
  }

  /** The same with each part changed. */
  map(change: (text: string) => string): MixedText {
    return new MixedText(this.parts.map(({ text, isStyled }) => ({ text: change(text), isStyled })));
  }

  /** The same between two places. */
  slice(from: number, to: number): MixedText {
    let at = 0;
    return new MixedText(
      this.parts.flatMap(({ text, isStyled }) => {
        const kept = text.slice(Math.max(0, from - at), Math.max(0, to - at));
        at += text.length;
        return kept === '' ? [] : [{ text: kept, isStyled }];
      }),
    );
  }

  /** The same with its first characters alone and what stands behind them. */
  startOf(length: number, end: string): MixedText {
    return new MixedText([...this.slice(0, length).parts, { text: end, isStyled: false }]);
  }
}

/** Words of the template in which marks of styles work. */
export const styledText = (text: string): MixedText => new MixedText([{ text, isStyled: true }]);

/** What the template gives a filter to show: a text is its own words. */
export const wordsOf = (given: unknown): unknown => (typeof given === 'string' ? styledText(given) : given);

/** Values with words of the template between them. */
export const joinedText = (values: readonly string[], separator: string): MixedText =>
  new MixedText(
    values.flatMap((text, index) => [
      ...(index === 0 ? [] : [{ text: separator, isStyled: true }]),
      { text, isStyled: false },
    ]),
  );
