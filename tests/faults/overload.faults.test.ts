import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '@stanza/local';
import type { Api, ApiAnswer } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Calls that a service works on; one organization alone gets half of them. */
const places = 4;
const share = places / 2;

describe('an overloaded stack', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    const env = { STANZA_HTTP_CONCURRENCY: String(4 * places), STANZA_RPC_CONCURRENCY: String(places) };
    own = await startOwnStack('overload', { seed: false, env });
    ({ stack, world } = own);
  });

  afterAll(async () => {
    await own?.close();
  });

  /** An organization that compiles a template of its own. */
  const customer = async () => {
    const organization = await world.newOrganization({ connected: false });
    const { key } = await organization.key();
    const api: Api = world.api.with(key);
    const { id } = await liveTemplate(api);
    const compile = () => api.post('/v1/templates/compile', { template_id: id, data: {} });
    expect((await compile()).status).toBe(200);
    return { organizationId: organization.id, key, templateId: id, api, compile };
  };

  /** What was charged and given back, in the order of time. */
  const charges = async (organizationId: string): Promise<string[]> => {
    const { rows } = await world.database.query<{ kind: string }>(
      "select kind from organization.credit_log where organization_id = $1 and kind <> 'grant' order by created_at",
      [organizationId],
    );
    return rows.map((row) => row.kind);
  };

  const gauge = async (service: string, name: string): Promise<number> => {
    const page = await (await fetch(stack.info.metrics[service] ?? '')).text();
    return Number(new RegExp(`^${name}(?:\\{.*\\})? (.+)$`, 'm').exec(page)?.[1]);
  };

  const compilesInFlight = () => gauge('compile', 'stanza_rpc_in_flight');

  /** Refused while everything that was taken before still waits: nothing waits for a place to be left. */
  const refusedAtOnce = async (request: () => Promise<ApiAnswer>, because: RegExp): Promise<void> => {
    const refused = await request();
    expect(await compilesInFlight()).toBe(share);
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.body).toHaveProperty('error', expect.stringMatching(because));
    expect(refused.headers.get('retry-after')).toBe('1');
  };

  it('refuses what is too much at once, leaves places for others, and finishes what it took', async () => {
    const [busy, other] = [await customer(), await customer()];
    await stack.process('template').freeze();
    const taken = Array.from({ length: share }, busy.compile);
    await waitFor('the compiles to be under way', async () => (await compilesInFlight()) === share);
    await refusedAtOnce(busy.compile, /compile service is unavailable .* nothing was done/);
    taken.push(other.compile());
    await waitFor('the place of the other', async () => (await compilesInFlight()) === share + 1);
    expect((await other.api.get('/v1/auth/validate')).status).toBe(200);
    stack.process('template').thaw();
    const answers = await Promise.all(taken);
    expect(answers.map((answer) => answer.status)).toEqual(taken.map(() => 200));
    await waitFor('every place to be left', async () => {
      return (await gauge('gateway', 'stanza_http_requests_in_flight')) === 0;
    });
    expect((await busy.compile()).status).toBe(200);
  });

  it('takes back what was charged for a compile whose client hung up while it was being worked on', async () => {
    const { organizationId, key, templateId } = await customer();
    expect(await charges(organizationId)).toEqual(['charge']);
    await stack.process('template').freeze();
    const hungUp = new AbortController();
    const asked = fetch(`${world.api.base}/v1/templates/compile`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ template_id: templateId, data: {} }),
      signal: hungUp.signal,
    }).catch((error: unknown) => Object(error).name);
    await waitFor('the compile to be under way', async () => (await compilesInFlight()) === 1);
    hungUp.abort();
    expect(await asked).toBe('AbortError');
    stack.process('template').thaw();
    const all = await waitFor('the charge to be taken back', async () => {
      const seen = await charges(organizationId);
      return seen.length === 3 && seen;
    });
    expect(all).toEqual(['charge', 'charge', 'reversal']);
  });
});
