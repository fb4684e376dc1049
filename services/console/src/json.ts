import { unkeptNumberIn } from '@stanza/contracts/numbers';

/** A JSON object whose keys are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a list; unlike `Array.isArray` it leaves the items unknown. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Messages never repeat more of what was pasted. */
const LONGEST = 40;

const wouldChange = (written: string): string => {
  const number = written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written;
  return `${number} would not keep its digits as a number: put it in double quotes.`;
};

/** Levels that pages can show; what is saved and sent may have far fewer. */
const deepest = 100;

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((it) => isWithin(it, levels - 1)));

/** What a text holds as JSON, or what is wrong with it. */
export const readJson = (text: string): { value: unknown; problem?: undefined } | { problem: string } => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isWithin(value, deepest)) return { problem: `This is nested deeper than ${deepest} levels` };
    const unkept = unkeptNumberIn(text);
    return unkept === undefined ? { value } : { problem: wouldChange(unkept) };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
};
