import { describe, expect, it } from '@jest/globals';
import { blockSamples } from '../testing/block-samples.ts';
import { findTotalBreach } from './message-totals.ts';

const section = (length: number) => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } });
const markdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });

describe('a whole message', () => {
  it('may have at most 13,000 characters of text in its blocks', () => {
    const full = [section(3_000), section(3_000), section(3_000), section(3_000), section(1_000)];
    expect(findTotalBreach(full)).toBeUndefined();
    expect(findTotalBreach([...full, section(1)])?.error).toBe('msg_blocks_too_long');
  });

  it('may have at most 12,000 characters in its markdown blocks', () => {
    expect(findTotalBreach([markdown(6_000), markdown(6_000)])).toBeUndefined();
    expect(findTotalBreach([markdown(6_000), markdown(6_001)])?.error).toBe('msg_blocks_too_long');
  });

  it('may hold one table', () => {
    expect(findTotalBreach([blockSamples.table])).toBeUndefined();
    const breach = findTotalBreach([blockSamples.table, blockSamples.divider, blockSamples.table]);
    expect(breach).toMatchObject({ error: 'only_one_table_allowed', problem: { pointer: '/blocks/2' } });
  });

  it('counts a table inside a container too', () => {
    const container = { ...blockSamples.container, child_blocks: [blockSamples.table] };
    expect(findTotalBreach([container])).toBeUndefined();
    expect(findTotalBreach([blockSamples.table, container])).toMatchObject({
      error: 'only_one_table_allowed',
      problem: { pointer: '/blocks/1/child_blocks/0' },
    });
  });

  it('may hold two charts', () => {
    const chart = blockSamples.data_visualization;
    expect(findTotalBreach([chart, chart])).toBeUndefined();
    expect(findTotalBreach([chart, chart, chart])).toMatchObject({
      error: 'invalid_blocks',
      problem: { pointer: '/blocks/2' },
    });
  });

  it('may hold 10,000 characters in its table', () => {
    const row = [{ type: 'raw_text', text: 'x'.repeat(5_001) }];
    expect(findTotalBreach([{ type: 'table', rows: [row, row] }])).toMatchObject({
      error: 'invalid_blocks',
      problem: { pointer: '/blocks/0' },
    });
  });
});
