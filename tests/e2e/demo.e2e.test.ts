import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listApiKeys } from '@stanza/contracts';
import { parseNatsUrl } from '@stanza/local/nats/address';
import { type Plan, seedDemo } from '@stanza/local/seed';
import { testStack } from '@stanza/test-kit/database';
import { v7 } from 'uuid';
import { openWorld, type World } from '../kit/stack.ts';

const newPlan = (): Plan => {
  const name = `demo-${v7()}`;
  return { name, tier: 'free', domain: `${name}.example`, workspace: 'acme' };
};

describe('the demo of the chart, whose Job runs at each upgrade', () => {
  let world: World;
  let folder: string;

  beforeAll(async () => {
    world = await openWorld();
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  /** What the Job of a revision makes, whose pod has a folder of its own. */
  const seed = (revision: string, plan: Plan) => {
    const { url, user = '', password = '' } = parseNatsUrl(testStack().nats_url);
    const file = join(folder, `${plan.name}-${revision}.json`);
    return seedDemo({ url, user, password }, file, { once: true, organizations: [plan] });
  };

  it('is made once, and gets no further keys by an upgrade', async () => {
    const plan = newPlan();
    const [made] = await seed('1', plan);
    const owner = world.api.with(made?.keys.owner ?? '');
    const { pagination } = await owner.ok(listApiKeys, {});
    expect(await seed('2', plan)).toEqual([]);
    expect(await owner.ok(listApiKeys, {})).toMatchObject({ pagination });
  });

  it('is completed by the pod that has begun it', async () => {
    const plan = newPlan();
    // Its token is refused when the organization is there already.
    await expect(seed('1', { ...plan, workspace: 'not a token' })).rejects.toThrow();
    const [made] = await seed('1', plan);
    expect(made).toMatchObject({ name: plan.name, keys: { owner: expect.any(String) } });
  });
});
