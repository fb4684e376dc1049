import { unkeptOf } from '@stanza/contracts/numbers';
import { useState } from 'react';

/** How numbers are typed, also those that are not finished: `1.` */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number in a text; the text itself when it is not a number, or a number would lose its digits. */
export const numberIn = (text: string): unknown => {
  const written = text.trim();
  if (written === '') return undefined;
  return decimal.test(written) && unkeptOf(written) === undefined ? Number(written) : text;
};

/**
 * The text of a field whose value is read from it. What was typed stays there as long as the value is what was read from
 * it: `1.` is the number 1 already, and would lose its point before the next digit comes.
 */
export const useTypedText = (value: unknown, print: (value: unknown) => string) => {
  const [typed, setTyped] = useState<{ text: string; of: unknown }>();
  const text = typed !== undefined && Object.is(typed.of, value) ? typed.text : print(value);
  return { text, type: (next: string, of: unknown): void => setTyped({ text: next, of }) };
};
