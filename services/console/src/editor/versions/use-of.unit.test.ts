import { describe, expect, it } from '@jest/globals';
import type { TemplateUse } from '@stanza/contracts';
import { useOf } from './use-of.ts';

const none: TemplateUse = {
  template_id: 'one',
  queues: [],
  batches: [],
  schedules: [],
  modals: [],
  callers: [],
  since: '2026-01-01T00:00:00.000Z',
};
const caller = { operation: 'send', last_at: none.since } as const;

describe('who uses a template', () => {
  it('is nobody at first', () => {
    expect(useOf(none).inWords).toBe('');
    expect(useOf({ ...none, modals: [{ id: 'm', name: 'Refund' }] }).inWords).toBe('');
  });

  it('is counted by kind, a key once however it used it', () => {
    const use = useOf({
      ...none,
      queues: [{ id: 'q', name: 'Digest' }],
      schedules: [
        { id: 's', timing: '0 9 * * *' },
        { id: 't', timing: '0 10 * * *' },
      ],
      callers: [
        { ...caller, actor_id: 'k', name: 'Pipeline', count: 2 },
        { ...caller, actor_id: 'k', name: 'Pipeline', operation: 'compile', count: 3 },
        { ...caller, actor_id: 'queue:q', name: null, count: 4 },
      ],
    });
    expect(use.inWords).toBe('2 schedules, 1 queue, 1 key');
    expect(use.keys).toEqual([{ id: 'k', name: 'Pipeline', count: 5 }]);
  });
});
