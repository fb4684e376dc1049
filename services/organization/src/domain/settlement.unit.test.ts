import { describe, expect, it } from '@jest/globals';
import { itemsOf, itemsOfReport } from './settlement.ts';

describe('items to settle', () => {
  it('of a work item carry the id of the ledger row only where they are charged', () => {
    const facts = { credit_log_id: 'log', message_id: 'message' };
    expect(
      itemsOf({
        environment: 'production',
        operation_id: 'operation',
        items: [
          { item: 0, charged: true, ...facts },
          { item: 1, charged: false, ...facts },
        ],
      }),
    ).toEqual([
      { item: 0, charged: true, creditLogId: 'log', messageId: 'message' },
      { item: 1, charged: false, creditLogId: null, messageId: 'message' },
    ]);
  });

  it('of a report cover the whole reservation: messages unknown to delivery are released', () => {
    const known = { item: 1, charged: true, credit_log_id: 'log', message_id: 'message' };
    expect(itemsOfReport(3, [known])).toEqual([
      { item: 0, charged: false, creditLogId: null, messageId: null },
      { item: 1, charged: true, creditLogId: 'log', messageId: 'message' },
      { item: 2, charged: false, creditLogId: null, messageId: null },
    ]);
  });

  it('of a report get an id where a charged message lacks one', () => {
    const [item] = itemsOfReport(1, [{ item: 0, charged: true, credit_log_id: null, message_id: null }]);
    expect(item).toMatchObject({ charged: true, creditLogId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });
});
