import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMaintenance, setMaintenance } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import { newContext } from '@stanza/runtime';
import { Api, type ApiAnswer } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

describe('three gateways under maintenance', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    own = await startOwnStack('maintenance', { seed: false, replicas: { gateway: 3 } });
    ({ stack, world } = own);
  });

  afterAll(async () => {
    await own?.close();
  });

  const operator = {
    set: (on: boolean, told: { message?: string; retry_after?: number } = {}) =>
      world.rpc.call(
        setMaintenance,
        { on, message: null, retry_after: 60, ...told },
        newContext({ deadlineMs: 5_000 }),
      ),
    status: () => world.rpc.call(getMaintenance, {}, newContext({ deadlineMs: 5_000 })),
  };

  it('close for maintenance, stay closed after a crash, and open again', async () => {
    const { key } = await (await world.newOrganization({ connected: false })).key();
    const apis = stack.baseUrls.map((base) => new Api(base, key));
    const everywhere = (path: string) => Promise.all(apis.map((api) => api.get(path)));
    const allAnswer = (status: number) => async (): Promise<ApiAnswer[] | false> => {
      const answers = await everywhere('/v1/templates');
      return answers.every((answer) => answer.status === status) && answers;
    };
    await waitFor('all to be open', allAnswer(200));
    await operator.set(true, { message: 'Back at noon.', retry_after: 300 });
    for (const { headers, body } of await waitFor('all to be closed', allAnswer(503))) {
      expect(body).toMatchObject({ code: 'maintenance', error: 'Back at noon.' });
      expect(headers.get('retry-after')).toBe('300');
    }
    expect(await operator.status()).toMatchObject({ on: true, since: expect.any(String) });
    for (const path of ['/readyz', '/livez', '/version', '/openapi.json']) {
      expect((await fetch(stack.info.base_url + path)).status).toBe(200);
    }
    const unauthenticated = await world.api.with(undefined).get('/v1/auth/validate');
    expect(unauthenticated).toMatchObject({ status: 503, body: { code: 'maintenance' } });
    expect(unauthenticated.body).not.toHaveProperty('valid');
    const before = stack.info.pids.gateway;
    stack.kill('gateway', 'SIGKILL');
    await waitFor(
      'another gateway',
      () => stack.info.pids.gateway !== before && stack.process('gateway').ready,
    );
    expect((await world.api.with(key).get('/v1/templates')).body).toMatchObject({ code: 'maintenance' });
    const metrics = await (await fetch(stack.info.metrics.gateway ?? '')).text();
    expect(metrics).toMatch(/^stanza_maintenance\{.*\} 1$/m);
    await operator.set(false);
    await waitFor('all to be open again', allAnswer(200));
  });
});
