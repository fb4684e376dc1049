import { styleText } from 'node:util';

/** Colours of a terminal; without one every text is as it was. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  changed(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

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
