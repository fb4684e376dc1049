import { describe, expect, it } from '@jest/globals';
import { expandBlocks } from '@stanza/contracts';
import { handle, newContext, newId, Tenant } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { expanded, expandedOrThrow } from './expanded.ts';

describe('blocks that are not a stored version', () => {
  const use = { type: 'directive', directive: '#use', partial: 'footer' };
  const divider = { type: 'divider' };
  const problem = { pointer: '/blocks/0/partial', rule: 'partial.unknown', message: 'There is none.' };

  const asking = (blocks: { type: string }[], problems = [problem]) => {
    const asked: unknown[] = [];
    const answer = handle(expandBlocks, async ({ input }) => {
      asked.push(input.blocks);
      return { blocks: [divider], problems };
    });
    const tenant = new Tenant(newId(), 'production');
    const context = newContext({ deadlineMs: 5_000 });
    return { asked, rpc: inProcessRpc([answer]), request: { tenant, context, blocks } };
  };

  it('cost no call where they name no partials', async () => {
    const { asked, rpc, request } = asking([divider]);
    expect(await expanded(rpc, request)).toEqual({ blocks: [divider], problems: [] });
    expect(asked).toEqual([]);
  });

  it('come with the blocks of partials in them, or with what is wrong', async () => {
    const { asked, rpc, request } = asking([use]);
    expect(await expanded(rpc, request)).toEqual({ blocks: [divider], problems: [problem] });
    expect(asked).toEqual([[use]]);
    await expect(expandedOrThrow(rpc, request)).rejects.toMatchObject({ code: 'compilation_failed' });
    const sound = asking([use], []);
    expect(await expandedOrThrow(sound.rpc, sound.request)).toEqual([divider]);
  });
});
