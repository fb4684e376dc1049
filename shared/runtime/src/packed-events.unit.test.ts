import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packPush, unpackEvents, unpackText } from './packed-events.ts';

describe('packed events', () => {
  it('are those that were packed, with the size and the key of each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), { minLength: 1 }),
        (events) => {
          const { bytes, keys, packed } = packPush(events);
          const written = JSON.parse(JSON.stringify(events));
          expect(unpackEvents(packed)).toEqual(written);
          expect(bytes.reduce((sum, size) => sum + size, 0)).toBe(
            Buffer.byteLength(unpackText(packed)) - events.length - 1,
          );
          expect(keys ?? events.map(() => null)).toEqual(
            events.map(({ id }) => (typeof id === 'string' && id !== '' ? id : null)),
          );
        },
      ),
    );
  });
});
