import { describe, expect, it } from '@jest/globals';
import { createEntityField, updateEntityField } from './entities.ts';

describe('the name of a field', () => {
  const namesRefused = (name: string): (string | undefined)[] =>
    [createEntityField, updateEntityField].map(
      ({ body }) => body?.safeParse({ name, type: 'string' }).error?.issues[0]?.message,
    );

  it.each(['constructor', 'toString', 'a.b', 'First Name'])('The key %s of data is one', (name) => {
    expect(namesRefused(name)).toEqual([undefined, undefined]);
  });

  it('The key `__proto__` is refused, as in the data of a request', () => {
    const message = 'is not allowed as a key';
    expect(namesRefused('__proto__')).toEqual([message, message]);
  });
});
