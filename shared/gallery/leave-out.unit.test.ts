import { describe, expect, it } from '@jest/globals';
import { isList, isObject, type Program, runProgram } from '@stanza/engine';
import { findProblems } from '@stanza/sandbox/limits';
import { wantsAll } from '@stanza/test-kit/cases';
import { now, programOf } from './compile.ts';
import { type Message, messages } from './exhibits.ts';

/** Stands in no template. */
const mark = 'datum-of-the-caller';

type Data = Readonly<Record<string, unknown>>;

/** Values that other people's data holds in the place of another. */
const oddValues: readonly unknown[] = [
  { name: mark },
  [{ name: mark }],
  `/${mark} .png`,
  mark.repeat(300),
  Array.from({ length: 200 }, () => mark),
  null,
  [],
  -1,
  true,
];

/** Each place takes all odd values in a run with all cases, and every third of them in a usual one, in turn. */
const isWanted = (turn: number): boolean => wantsAll || turn % 3 === 0;

/** Copies of some data, in each of which another value is odd; the places come in the same order whatever is odd. */
function* oddCopies(data: unknown, odd: unknown): Generator<unknown> {
  yield odd;
  if (!isList(data) && !isObject(data)) return;
  for (const [key, inner] of Object.entries(data)) {
    for (const copy of oddCopies(inner, odd)) {
      const changed = isList(data) ? [...data] : { ...data };
      Reflect.set(changed, key, copy);
      yield changed;
    }
  }
}

/** What is wrong with the message of some data. Five calls of `expect` each took a fifth of the time. */
const faultsOf = ({ source: { locale, timezone } }: Message, program: Program, data: Data): unknown[] => {
  const options = { now, ...(locale && { locale }), ...(timezone && { timezone }) };
  const ordinary = runProgram(program, data, options);
  const result = runProgram(program, data, { ...options, leavesOut: true });
  if (!result.ok) return result.problems;
  const { blocks, leftOut, warnings } = result;
  const entries = leftOut?.entries ?? [];
  return [
    ...findProblems(blocks, 'message', '/blocks'),
    ...((leftOut === undefined) === ordinary.ok
      ? []
      : ['it leaves out what an ordinary run makes, or nothing']),
    ...(JSON.stringify(leftOut ?? null).includes(mark) ? ['it shows data of the caller'] : []),
    ...entries.filter(({ message }) => !warnings.includes(message)),
  ];
};

describe('a template of the gallery that leaves out', () => {
  it.each(messages.map((message) => [message.slug, message] as const))(
    'makes a message whichever value is odd: %s',
    (_, message) => {
      const program = programOf(message);
      for (const [number, odd] of oddValues.entries()) {
        for (const [place, data] of [...oddCopies(message.data, odd)].entries()) {
          if (!isWanted(number + place) || !isObject(data)) continue;
          const faults = faultsOf(message, program, data);
          if (faults.length > 0) expect({ data, faults }).toEqual({ data, faults: [] });
        }
      }
    },
  );
});
