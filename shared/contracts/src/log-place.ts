import { z } from 'zod';

/** A place in a log that is read in the order in which its rows were written or changed. */
export interface LogPlace {
  /** The place of the transaction that wrote the row, counted as milliseconds; for a row of a version before, its moment. */
  at: Date;
  /** The row. */
  id: string;
}

/** The form of a place in a text. */
export const logPlacePattern = '^\\d{13}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** A place as requests and answers name it: 13 digits and the id of the row. */
export const logPlace = z
  .string()
  .regex(new RegExp(logPlacePattern), 'must be a place that an earlier answer named');

/** A place as lists name it. */
export const listCursor = z
  .string()
  .regex(new RegExp(logPlacePattern), 'must be the next_cursor of an earlier answer');

/** Writes a place. */
export const logPlaceText = ({ at, id }: LogPlace): string =>
  `${String(at.getTime()).padStart(13, '0')}-${id}`;

/** Reads a place that {@link logPlace} accepts. */
export const readLogPlace = (text: string): LogPlace => {
  const [milliseconds = ''] = text.split('-', 1);
  return { at: new Date(Number(milliseconds)), id: text.slice(milliseconds.length + 1) };
};

/** The place of a row in a list that is numbered: its number stands where others have their moment. */
export const numberedPlace = (number: number, id: string): LogPlace => ({ at: new Date(number), id });

/** The largest number that a row has: the database counts in 32 bits. */
const lastNumber = 2 ** 31 - 1;

/** The number of a {@link numberedPlace}; a moment, as of a place in another list, is after all numbers. */
export const numberOfPlace = (text: string): number => Math.min(readLogPlace(text).at.getTime(), lastNumber);
