import { liveTemplate } from '../../kit/templates.ts';
import { inTurns, rowOf } from '../http-load.ts';
import { onStackOf } from '../on-stack.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const path = '/v1/templates/compile';
/**
 * Nothing that people use keeps answers for hours and gives them back byte by byte, so there is no peer but the work
 * itself.
 */
const facts = {
  what: 'idempotent replay of a compile, 64 connections',
  peer: 'the same compile without a key',
  budget: '≥ 1.0',
  aim: '≥ 2',
};

/** Replays of one keyed compile next to the same compile without a key, in turns, on one stack. */
export const replayBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, {}, async ({ stack, world }) => {
    const credits = { credits: 100_000_000, tier: 'enterprise', connected: false } as const;
    const organization = await world.newOrganization(credits);
    const { key } = await organization.key();
    const api = world.api.with(key);
    const { id } = await liveTemplate(api, blocks);
    const body = JSON.stringify({ template_id: id, data });
    const authorized = { authorization: `Bearer ${key}` };
    const keyed = { ...authorized, 'idempotency-key': 'bench' };
    const first = await api.post(path, undefined, { raw: body, headers: keyed });
    const again = await api.post(path, undefined, { raw: body, headers: keyed });
    if (first.status !== 200 || again.text !== first.text) throw new Error('the request was not replayed');
    const url = `${stack.info.base_url}${path}`;
    const { pids } = stack.info;
    const targets = [
      { url, headers: keyed, pids },
      { url, headers: authorized, pids },
    ];
    const [replays = [], compiles = []] = await inTurns(targets, body, mode);
    return [rowOf(replays, compiles, facts)];
  });
