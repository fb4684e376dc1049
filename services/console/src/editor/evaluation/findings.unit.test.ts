import { describe, expect, it } from '@jest/globals';
import { findingOfWarning } from './findings.ts';

describe('a warning of the engine', () => {
  it.each(['modal', 'destination'])('asks people to choose a %s, whose id they never see', (what) => {
    const warning = `/blocks/0: this is not the id of a ${what}, a UUID, so the element does nothing; GET /v1/${what}s lists the ids.`;
    expect(findingOfWarning(warning, { blocks: [], data: {} })).toMatchObject({
      pointer: '/blocks/0',
      message: `No ${what} is chosen here yet, so the element does nothing.`,
    });
  });
});
