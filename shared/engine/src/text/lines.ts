/** The part of the template that the lines of a value stay in. */
export interface Lines {
  /** Begins further lines: the marks of the quote and the list item around. */
  readonly prefix: string;
  /** Marks of styles that the template has opened around the value, the outermost first. */
  readonly styles: readonly string[];
}

/** Lines of a value as one, where a line end would end the mark around. Some readers end a line at a separator too. */
export const oneLine = (value: string): string => value.replace(/[\r\n\u2028\u2029]+/g, ' ');

/** A value in a style without the line ends at its borders, where the marks of the style would not work. */
const trimLines = (value: string): string => {
  const start = value.trimStart();
  const lead = value.slice(0, value.length - start.length);
  const end = start.trimEnd();
  const trail = start.slice(end.length);
  return `${/[\r\n]/.test(lead) ? ' ' : lead}${end}${/[\r\n]/.test(trail) ? ' ' : trail}`;
};

/** A value as it is put between marks of styles. A mark next to a space would not work. */
export const trimIn = (
  value: string,
  styles: readonly string[],
  { isTightBefore, isTightAfter }: { readonly isTightBefore: boolean; readonly isTightAfter: boolean },
): string => {
  const inside = styles.length > 0 && /[\r\n]/.test(value) ? trimLines(value) : value;
  const start = isTightBefore ? inside.trimStart() : inside;
  return isTightAfter ? start.trimEnd() : start;
};

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/**
 * Puts the lines of a value together. A style ends with its line in mrkdwn and with its paragraph in Markdown, so that
 * its marks are closed there and opened again behind.
 */
export const joinLines = (
  lines: readonly string[],
  { prefix, styles }: Lines,
  kind: 'mrkdwn' | 'markdown',
): string => {
  if (styles.length === 0) return lines.join(`\n${prefix}`);
  const opening = styles.join('');
  const closing = styles.toReversed().join('');
  const isBreak = (line: string | undefined): boolean => kind === 'mrkdwn' || isBlank(line);
  return lines
    .map((line, index) => {
      if (isBlank(line)) return '';
      const opens = index > 0 && isBreak(lines[index - 1]);
      const closes = index < lines.length - 1 && isBreak(lines[index + 1]);
      const start = opens ? opening + line.trimStart() : line;
      return closes ? start.trimEnd() + closing : start;
    })
    .join(`\n${prefix}`);
};
