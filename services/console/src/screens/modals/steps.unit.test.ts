import { describe, expect, it } from '@jest/globals';
import type { Modal } from '@stanza/contracts';
import { inserted, keptSteps, movedEarlier, type Step, stepsOf, stepsToSave } from './steps.ts';

const step = (title: string, submit_label = ''): Step => ({ title, submit_label, blocks: [] });
const [why, sure] = [step('Why'), step('Sure?', 'Refund')];
const titles = (steps: readonly Step[]): string[] => steps.map(({ title }) => title);

const modal: Modal = {
  id: 'm',
  organization_id: 'o',
  key: 'refund',
  name: 'Refund',
  description: null,
  title: 'Refund an order',
  submit_label: 'Send',
  close_label: 'Cancel',
  current_version_id: null,
  current_version: null,
  is_multi_step: false,
  steps: null,
  created_by: 'u',
  created_at: '2026-11-28T00:00:00Z',
  updated_at: '2026-11-28T00:00:00Z',
};

describe('the steps of a modal', () => {
  it('begin with its view where it has one, which then leads on', () => {
    const blocks = [{ type: 'divider' }];
    expect(stepsOf(modal, { blocks })).toEqual([{ title: 'Refund an order', submit_label: 'Next', blocks }]);
    const steps = [{ title: 'Why', submit_label: null, blocks }];
    expect(stepsOf({ ...modal, steps }, { blocks: [] })).toEqual([{ ...step('Why'), blocks }]);
  });

  it('are added behind the chosen one, and moved earlier, but not before the first', () => {
    expect(titles(inserted([why, sure], 0, step('How')))).toEqual(['Why', 'How', 'Sure?']);
    expect(titles(movedEarlier([why, sure], 1))).toEqual(['Sure?', 'Why']);
    expect(titles(movedEarlier([why, sure], 0))).toEqual(['Why', 'Sure?']);
  });

  it('are saved with the submit button of the modal where they have none', () => {
    expect(stepsToSave([why, sure])).toEqual([
      { title: 'Why', submit_label: null, blocks: [] },
      { title: 'Sure?', submit_label: 'Refund', blocks: [] },
    ]);
  });

  it('are taken from the browser only whole', () => {
    expect(keptSteps({ blocks: [], steps: [why] })).toEqual([why]);
    expect(keptSteps({ blocks: [], steps: [{ title: 'Why' }] })).toBeUndefined();
    expect(keptSteps(undefined)).toBeUndefined();
  });
});
