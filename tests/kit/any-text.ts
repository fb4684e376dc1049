import fc from 'fast-check';

/** Code points from which those above are counted without the surrogates, and how many of these there are. */
const firstSurrogate = 0xd800;
const surrogates = 0x800;

const characterAt = (index: number): string =>
  String.fromCodePoint(index < firstSurrogate ? index : index + surrogates);

const indexOf = (value: unknown): number => {
  const point = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0;
  const index = point < firstSurrogate ? point : point - surrogates;
  if (characterAt(index) !== value) throw new Error('This is not one character.');
  return index;
};

/** Any character, as fast-check's unit `binary` draws it. That one keeps a map of all: two seconds and 185 MB a process. */
const character = fc.nat({ max: 0x10ffff - surrogates }).map(characterAt, indexOf);

/** Text of any characters. */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...constraints });
