import { describe, expect, it } from '@jest/globals';
import { type ChargeFacts, isUnsettled, outcomesOf } from './charges.ts';

const fresh = (rank: number, more: Partial<ChargeFacts> = {}): ChargeFacts => ({
  credit_log_id: null,
  is_new: false,
  remaining: 2,
  overage: 0,
  is_affordable: rank <= 2,
  ...more,
});

describe('outcomes of a batch of charges', () => {
  it('count down the remaining credits by new charges only', () => {
    const batch = [
      fresh(1, { credit_log_id: 'a', is_new: true }),
      fresh(3, { credit_log_id: 'old' }),
      fresh(2, { credit_log_id: 'b', is_new: true }),
      fresh(3),
    ];
    expect(outcomesOf(batch)).toEqual([
      { charged: true, credit_log_id: 'a', remaining_credits: 1 },
      { charged: true, credit_log_id: 'old', remaining_credits: 1 },
      { charged: true, credit_log_id: 'b', remaining_credits: 0 },
      { charged: false, code: 'insufficient_credits' },
    ]);
  });

  it('distinguish a used-up overage from used-up credits', () => {
    expect(outcomesOf([fresh(3, { overage: 1 })])).toEqual([
      { charged: false, code: 'overage_limit_exceeded' },
    ]);
  });

  it('are unsettled only where credits sufficed and no charge was made', () => {
    expect(isUnsettled(fresh(2))).toBe(true);
    expect(isUnsettled(fresh(3))).toBe(false);
    expect(isUnsettled(fresh(2, { is_new: true, credit_log_id: 'a' }))).toBe(false);
    expect(isUnsettled(fresh(3, { credit_log_id: 'old' }))).toBe(false);
  });
});
