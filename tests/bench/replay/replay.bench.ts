import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@stanza/stack';
import { openWorld } from '../../support/stack.ts';
import { liveTemplate } from '../../support/templates.ts';
import { inTurns, rowOf } from '../http-load.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';

/** Replays of one keyed compile beside the same compile without a key, in turns, on one stack. */
export async function replayBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const stack = await startStack({ directory, port: 0 });
  const world = await openWorld(stack.info);
  try {
    const credits = { credits: 100_000_000, tier: 'enterprise', connected: false } as const;
    const organization = await world.newOrganization(credits);
    const { key } = await organization.key();
    const api = world.api.with(key);
    const { id } = await liveTemplate(api, blocks);
    const body = JSON.stringify({ template_id: id, data });
    const path = '/v1/templates/compile';
    const authorized = { authorization: `Bearer ${key}` };
    const keyed = { ...authorized, 'idempotency-key': 'bench' };
    const first = await api.post(path, undefined, { raw: body, headers: keyed });
    const again = await api.post(path, undefined, { raw: body, headers: keyed });
    if (first.status !== 200 || again.text !== first.text) throw new Error('the request was not replayed');
    const url = `${stack.info.base_url}${path}`;
    const targets = [
      { url, headers: keyed },
      { url, headers: authorized },
    ];
    const [replays = [], compiles = []] = await inTurns(targets, body, mode);
    const what = 'idempotent replay of a compile, 64 connections';
    const peer = 'the same compile without a key';
    return [rowOf(replays, compiles, { what, peer, budget: '≥ 1.0', aim: '≥ 2' })];
  } finally {
    await world.close();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
