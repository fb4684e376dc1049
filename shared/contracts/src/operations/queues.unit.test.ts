import { describe, expect, it } from '@jest/globals';
import { limits } from '../limits.ts';
import { pushEvents } from './queues.ts';

describe('the id of a pushed event', () => {
  const issuesOf = (id: string) => pushEvents.body?.safeParse({ events: [{ id }] }).error?.issues ?? [];

  it('has as many characters as the limit says, an emoji being one', () => {
    expect(issuesOf('😀'.repeat(limits.eventKey))).toEqual([]);
  });

  it('is refused with one character more', () => {
    expect(issuesOf(`${'😀'.repeat(limits.eventKey)}x`)).toEqual([
      expect.objectContaining({ path: ['events', 0, 'id'], message: 'must have 255 characters at most' }),
    ]);
  });
});
