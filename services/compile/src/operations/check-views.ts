import { checkViews as operation } from '@stanza/contracts';
import { type Clock, handle, newId } from '@stanza/runtime';
import { checkView } from '../domain/views.ts';

/** Fills the ids of views to be saved and compiles them with sample data. */
export const checkViews = ({ clock }: { clock: Clock }) =>
  handle(operation, async ({ input: { views, sample_data: data, placeholder_mapping: mapping } }) => {
    const now = clock.now();
    return { views: views.map((view) => checkView(view, { data, mapping }, { newId, now })) };
  });
