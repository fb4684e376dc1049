/** The digits of a decimal number without surrounding zeros, and the power of ten of the last one. */
interface Decimal {
  digits: string;
  exponent: number;
}

const decimalOf = (written: string): Decimal => {
  const [mantissa = '', power = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  // Not /0+$/, which backtracks from each zero in the middle.
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end -= 1;
  return { digits: all.slice(0, end), exponent: Number(power) - fraction.length + all.length - end };
};

/** Why a written number is refused. */
export type UnkeptNumber = 'out_of_range' | 'digits_lost';

/** The number of digits before the decimal point of a number of at least 1. */
const wholeOf = ({ digits, exponent }: Decimal): bigint => BigInt(digits.slice(0, digits.length + exponent));

/**
 * The loss of a written number as a double: its range, or digits before the decimal point. Digits after it are rounded.
 */
export const unkeptOf = (written: string): UnkeptNumber | undefined => {
  const value = Number(written);
  // What is closer to zero than a double can be would become zero.
  const isLost = value === 0 && /^[^eE]*[1-9]/.test(written);
  if (!Number.isFinite(value) || isLost) return 'out_of_range';
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return undefined;
  // A double keeps any fifteen digits; a body can hold tens of thousands of such numbers.
  if (written.length <= 15) return undefined;
  // 1e21 is a float to its writer; the same with all its zeros would be serialized differently.
  if (/^[+-]?\d+$/.test(written))
    return String(value) === written.replace('+', '') ? undefined : 'digits_lost';
  const [given, kept] = [decimalOf(written), decimalOf(String(value))];
  if (given.exponent < 0) return wholeOf(given) === BigInt(Math.abs(value)) ? undefined : 'digits_lost';
  return given.digits === kept.digits && given.exponent === kept.exponent ? undefined : 'digits_lost';
};

/** Matches a string, which is skipped, or a number. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** A JSON text with each of its numbers replaced; `replace` gets the number as written. */
export const replaceNumbers = (json: string, replace: (written: string) => string): string =>
  json.replace(token, (written) => (written.startsWith('"') ? written : replace(written)));

/** The first number in a JSON text that is not kept as it is written; undefined where all are. */
export const unkeptNumberIn = (json: string): string | undefined => {
  let found: string | undefined;
  replaceNumbers(json, (written) => {
    if (found === undefined && unkeptOf(written) !== undefined) found = written;
    return written;
  });
  return found;
};
