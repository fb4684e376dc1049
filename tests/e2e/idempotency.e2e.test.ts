import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCredits } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Api, ApiOptions } from '../support/api.ts';
import type { TestOrganization } from '../support/organization.ts';
import { openWorld, type World } from '../support/stack.ts';
import { type LiveTemplate, liveTemplate } from '../support/templates.ts';
import { waitFor } from '../support/wait.ts';

const compilePath = '/v1/templates/compile';
const sendPath = '/v1/templates/send';

/** Each test posts to a channel of its own, since a channel takes about a message a second. */
let lastChannel = 1_300;
const newChannel = (): string => {
  lastChannel += 1;
  return `C${lastChannel}`;
};

const keyed = (key: string, more: ApiOptions = {}): ApiOptions => ({
  ...more,
  headers: { 'idempotency-key': key, ...more.headers },
});

describe('a request with an Idempotency-Key', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let template: LiveTemplate;
  const data = { service: 'api', version: '1.4.2' };

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization();
    api = world.api.with((await organization.key()).key);
    template = await liveTemplate(api);
  });
  afterAll(() => world.close());

  const balanceOf = async (of: TestOrganization, by: Api): Promise<number> => {
    const credits = await waitFor('every reservation to be settled', async () => {
      const shown = await by.ok(getCredits, { params: { organization_id: of.id } });
      return shown.reserved === 0 && shown;
    });
    return credits.balance;
  };
  const balance = () => balanceOf(organization, api);
  const compileBody = () => ({ template_id: template.id, data });
  const sendBody = (channel_id: string) => ({ template_id: template.id, data, channel_id });

  it('is answered again byte for byte, under its new request id, and runs and costs nothing again', async () => {
    const key = v7();
    const before = await balance();
    const first = await api.post(compilePath, compileBody(), keyed(key));
    expect(first).toMatchObject({ status: 200, body: { success: true } });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await api.post(
      compilePath,
      compileBody(),
      keyed(key, { headers: { 'x-request-id': 'second.1' } }),
    );
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).toBe('second.1');
    expect(await balance()).toBe(before - 1);
  });

  it('sent twice at the same moment posts one message; the other hears that the first is running', async () => {
    const key = v7();
    const channel = newChannel();
    await world.sandbox.setFault({
      method: 'chat.postMessage',
      channel,
      mode: 'latency',
      value: 500,
      times: 1,
    });
    const answers = await Promise.all([1, 2].map(() => api.post(sendPath, sendBody(channel), keyed(key))));
    expect(answers.map((it) => it.status).sort()).toEqual([200, 409]);
    expect(answers.find((it) => it.status === 409)?.body).toMatchObject({ code: 'idempotency_in_progress' });
    const replayed = await api.post(sendPath, sendBody(channel), keyed(key));
    expect(replayed.text).toBe(answers.find((it) => it.status === 200)?.text);
    expect(await world.sandbox.messages(channel)).toHaveLength(1);
  });
});
