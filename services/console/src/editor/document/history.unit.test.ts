import { describe, expect, it } from '@jest/globals';
import { historyAfter, startHistory } from './history.ts';

const documentOf = (text: string, id?: string) => ({
  blocks: [{ type: 'section', ...(id && { id }), text: { type: 'mrkdwn', text } }],
});

describe('the history of a document', () => {
  it('takes no step for the saved form of what is on the screen', () => {
    const written = historyAfter(startHistory({ document: documentOf('Begun') }), {
      do: 'change',
      document: documentOf('Written'),
    });
    const save = { do: 'save', of: written.present, document: documentOf('Written', 'blk_1') } as const;
    const saved = historyAfter(written, save);
    expect(saved.present.document).toEqual(documentOf('Written', 'blk_1'));
    expect(historyAfter(saved, { do: 'undo' }).present.document).toEqual(documentOf('Begun'));
    const further = historyAfter(written, { do: 'change', document: documentOf('Written further') });
    expect(historyAfter(further, save)).toEqual(further);
  });
});
