import { setImmediate as breathe } from 'node:timers/promises';
import { checkViews as operation } from '@stanza/contracts';
import { type Clock, handle, newId } from '@stanza/runtime';
import { type CheckedView, checkView } from '../check-view.ts';
import type { RunTask } from '../runs/runs.ts';

/** Fills the ids of views to be saved and compiles them with sample data. */
export const checkViews = ({ clock, run }: { clock: Clock; run: RunTask }) =>
  handle(operation, async ({ input: { views, sample_data: data, placeholder_mapping: mapping } }) => {
    const now = clock.now().getTime();
    const checked: CheckedView[] = [];
    for (const view of views) {
      checked.push(await checkView(view, { data, mapping }, { run, newId, now }));
      await breathe();
    }
    return { views: checked };
  });
