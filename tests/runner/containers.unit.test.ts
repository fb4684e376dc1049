import { describe, expect, it } from '@jest/globals';
import { wantsTestContainers } from './containers.ts';

describe('STANZA_TEST_CONTAINERS', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['0', false],
    ['1', true],
  ])('%s asks for containers: %s', (value, wanted) => {
    expect(wantsTestContainers({ STANZA_TEST_CONTAINERS: value })).toBe(wanted);
  });

  it('stops the run when it is neither', () => {
    expect(() => wantsTestContainers({ STANZA_TEST_CONTAINERS: 'yes' })).toThrow(
      'STANZA_TEST_CONTAINERS is yes',
    );
  });
});
