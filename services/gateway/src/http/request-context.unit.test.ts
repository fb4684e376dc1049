import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-context.ts';

describe('the request id', () => {
  it("is the client's, where it is well-formed", () => {
    for (const given of ['a', 'Order-7_retry.2', 'x'.repeat(128)]) expect(requestIdOf(given)).toBe(given);
  });

  it('is generated for a missing or malformed one', () => {
    for (const given of [undefined, '', 'x'.repeat(129), 'a b', 'é', 'a\nb', '<script>']) {
      const id = requestIdOf(given);
      expect(id).not.toBe(given);
      expect(requestIdOf(id)).toBe(id);
    }
  });
});
