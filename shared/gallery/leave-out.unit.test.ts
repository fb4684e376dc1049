import { describe, expect, it } from '@jest/globals';
import { isList, isObject, runProgram } from '@stanza/engine';
import { findProblems } from '@stanza/sandbox/limits';
import { now, programOf } from './compile.ts';
import { type Message, messages } from './exhibits.ts';

/** Stands in no template. */
const mark = 'datum-of-the-caller';

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

/** Copies of some data, in each of which another value is odd. */
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

const expectMessage = (message: Message, data: Readonly<Record<string, unknown>>): void => {
  const program = programOf(message);
  const { locale, timezone } = message.source;
  const options = { now, ...(locale && { locale }), ...(timezone && { timezone }) };
  const ordinary = runProgram(program, data, options);
  const result = runProgram(program, data, { ...options, leavesOut: true });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { blocks, leftOut, warnings } = result;
  expect(findProblems(blocks, 'message', '/blocks')).toEqual([]);
  expect(leftOut === undefined).toBe(ordinary.ok);
  expect(JSON.stringify(leftOut ?? null)).not.toContain(mark);
  for (const { message: named } of leftOut?.entries ?? []) expect(warnings).toContain(named);
};

describe('a template of the gallery that leaves out', () => {
  it.each(messages.map((message) => [message.slug, message] as const))(
    'makes a message whichever value is odd: %s',
    (_, message) => {
      for (const odd of oddValues) {
        for (const data of oddCopies(message.data, odd)) if (isObject(data)) expectMessage(message, data);
      }
    },
  );
});
