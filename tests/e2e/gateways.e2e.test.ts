import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate, getMaintenance, setMaintenance } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import type { Stack } from '@stanza/stack';
import { Api, type ApiAnswer } from '../support/api.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';
import type { World } from '../support/stack.ts';
import { deployBlocks, liveTemplate } from '../support/templates.ts';
import { waitFor } from '../support/wait.ts';

/** Requests under way at one time. */
const atOnce = 12;

const validatePath = '/v1/templates/validate';

describe('three gateways over one database', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    own = await startOwnStack('gateways', { seed: false, replicas: { gateway: 3 } });
    ({ stack, world } = own);
  }, 120_000);

  afterAll(async () => {
    await own?.close();
  }, 60_000);

  /** Makes requests, some at a time, and answers what each was answered. */
  const ask = async (count: number, request: (index: number) => Promise<ApiAnswer>): Promise<ApiAnswer[]> => {
    const answers: ApiAnswer[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        next += 1;
        answers.push(await request(next));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return answers;
  };

  const at = <T>(all: readonly T[], index: number): T => {
    const found = all[index % all.length];
    if (found === undefined) throw new Error('the list is empty');
    return found;
  };

  it('let an organization make 120 authoring requests a minute, whatever its keys, sessions and environments', async () => {
    const organization = await world.newOrganization({ connected: false });
    const template = await liveTemplate(world.api.with((await organization.key()).key));
    const tokens = [
      (await organization.key()).key,
      (await organization.key({ role: 'member' })).key,
      (await organization.key({ environment: 'preview' })).key,
      (await organization.session({ role: 'admin' })).token,
    ];
    const apis = stack.baseUrls.flatMap((base) => tokens.map((token) => new Api(base, token)));
    const answers = await ask(360, (index) => at(apis, index).post(validatePath, { blocks: deployBlocks }));
    const passed = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 429);
    // The template and its activation were counted before.
    expect([passed.length, refused.length]).toEqual([118, 242]);
    for (const { headers } of passed) {
      expect(headers.get('ratelimit-policy')).toBe('"authoring";q=120;w=60');
      expect(headers.get('ratelimit')).toMatch(/^"authoring";r=\d+;t=\d+$/);
    }
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'rate_limited' });
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(61);
      expect(headers.get('ratelimit')).toBe(`"authoring";r=0;t=${seconds}`);
    }
    const compile = at(apis, 0);
    await compile.ok(compileTemplate, { body: { template_id: template.id, data: {} } });
    const other = world.api.with((await (await world.newOrganization({ connected: false })).key()).key);
    expect((await other.post(validatePath, { blocks: deployBlocks })).status).toBe(200);
  }, 60_000);

  const operator = {
    set: (on: boolean, told: { message?: string; retry_after?: number } = {}) =>
      world.rpc.call(
        setMaintenance,
        { on, message: null, retry_after: 60, ...told },
        newContext({ deadlineMs: 5_000 }),
      ),
    status: () => world.rpc.call(getMaintenance, {}, newContext({ deadlineMs: 5_000 })),
  };

  it('close for maintenance within a second, stay closed after a crash, and open again', async () => {
    const { key } = await (await world.newOrganization({ connected: false })).key();
    const apis = stack.baseUrls.map((base) => new Api(base, key));
    const everywhere = (path: string) => Promise.all(apis.map((api) => api.get(path)));
    const allAnswer = (status: number) => async (): Promise<ApiAnswer[] | false> => {
      const answers = await everywhere('/v1/templates');
      return answers.every((answer) => answer.status === status) && answers;
    };
    await waitFor('all to be open', allAnswer(200), 1_000);
    await operator.set(true, { message: 'Back at noon.', retry_after: 300 });
    for (const { headers, body } of await waitFor('all to be closed', allAnswer(503), 1_000)) {
      expect(body).toMatchObject({ code: 'maintenance', error: 'Back at noon.' });
      expect(headers.get('retry-after')).toBe('300');
    }
    expect(await operator.status()).toMatchObject({ on: true, since: expect.any(String) });
    for (const path of ['/readyz', '/livez', '/version', '/openapi.json']) {
      expect((await fetch(stack.info.base_url + path)).status).toBe(200);
    }
    const unauthenticated = await world.api.with(undefined).get('/v1/auth/validate');
    expect(unauthenticated).toMatchObject({ status: 503, body: { valid: false, code: 'maintenance' } });
    const before = stack.info.pids.gateway;
    stack.kill('gateway', 'SIGKILL');
    await waitFor(
      'another gateway',
      () => stack.info.pids.gateway !== before && stack.process('gateway').ready,
      40_000,
    );
    expect((await at(apis, 0).get('/v1/templates')).body).toMatchObject({ code: 'maintenance' });
    const metrics = await (await fetch(stack.info.metrics.gateway ?? '')).text();
    expect(metrics).toMatch(/^stanza_maintenance\{.*\} 1$/m);
    await operator.set(false);
    await waitFor('all to be open again', allAnswer(200), 1_000);
  }, 60_000);
});
