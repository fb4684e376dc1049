import { styleText } from 'node:util';

/** Colours of a terminal; without one every text is as it was. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  changed(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

/** Characters that a terminal acts on, or that turn the direction of what follows; colours of {@link styleOf} stay. */
const acting = /\p{Cc}\[(?:1|22|3[123]|39|90)m|(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text for a terminal: what data may have brought shows as `\x1b` instead of acting on it.
 *
 * @param hasColours whether the colours of {@link styleOf} may work
 */
export const shown = (text: string, hasColours: boolean): string =>
  text.replace(acting, (found) => {
    if (hasColours && found.startsWith('\u001b[')) return found;
    const code = found.charCodeAt(0);
    const escaped =
      code < 0x7f ? `x${code.toString(16).padStart(2, '0')}` : `u${code.toString(16).padStart(4, '0')}`;
    // JSON has no raw characters below U+0020; above them these are escapes of JSON too.
    return `\\${escaped}${found.slice(1)}`;
  });

const plain = (text: string): string => text;

type Format = Parameters<typeof styleText>[0];

const painted =
  (format: Format) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false });

/** The style of a terminal. */
export const styleOf = (hasColours: boolean): Style =>
  hasColours
    ? {
        good: painted('green'),
        bad: painted('red'),
        changed: painted('yellow'),
        strong: painted('bold'),
        faint: painted('gray'),
      }
    : { good: plain, bad: plain, changed: plain, strong: plain, faint: plain };
