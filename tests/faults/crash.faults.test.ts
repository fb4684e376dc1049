import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate, isErrorCode, type ServiceName } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** What a loop of compiles saw. */
interface Seen {
  /** credit_log_id of every compile that was answered 200. */
  charged: string[];
  /** Codes of the answers that were errors. */
  codes: string[];
  /** Connections that broke without an answer. */
  broken: number;
}

/** Compiles over and over from several clients until told to stop. */
const compileUntil = async (
  api: Api,
  templateId: string,
  stop: { now: boolean },
  seen: Seen,
): Promise<void> => {
  while (!stop.now) {
    try {
      const answer = await api.post('/v1/templates/compile', { template_id: templateId, data: {} });
      if (answer.status === 200) seen.charged.push(compileTemplate.reply.parse(answer.body).credit_log_id);
      else seen.codes.push(String(Object(answer.body).code));
    } catch (error) {
      // What fetch throws when a connection breaks; it is made outside of the test's own globals, so no instanceof.
      if (Object(error).name !== 'TypeError') throw error;
      seen.broken += 1;
    }
  }
};

/** Services that a compile passes, and one that it does not. */
const services: ServiceName[] = ['compile', 'template', 'organization', 'gateway', 'delivery'];
const clients = 4;
/** Compiles before and after the kill; at a few hundred a second that is under a second each. */
const compiles = 100;

describe('kill -9 of a service during a loop of compiles', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  const stories = new Map<ServiceName, { organization: TestOrganization; seen: Seen }>();

  beforeAll(async () => {
    own = await startOwnStack('crash', { seed: false });
    ({ stack, world } = own);
    for (const service of services) stories.set(service, await killDuringCompiles(service));
  });

  afterAll(async () => {
    await own?.close();
  });

  const killDuringCompiles = async (service: ServiceName) => {
    const organization = await world.newOrganization({ credits: 100_000, connected: false });
    const api = world.api.with((await organization.key()).key);
    const { id } = await liveTemplate(api);
    const seen: Seen = { charged: [], codes: [], broken: 0 };
    const stop = { now: false };
    const loops = Array.from({ length: clients }, () => compileUntil(api, id, stop, seen));
    await waitFor('compiles to run', () => seen.charged.length > compiles);
    stack.kill(service, 'SIGKILL');
    const before = seen.charged.length;
    await waitFor(`compiles to run again without ${service}`, () => seen.charged.length > before + compiles);
    await stack.whenReady();
    stop.now = true;
    await Promise.all(loops);
    return { organization, seen };
  };

  const storyOf = (service: ServiceName) => {
    const story = stories.get(service);
    if (!story) throw new Error(`${service} was not killed`);
    return story;
  };

  /** Charges that stand: those not reversed. */
  const netCharges = async (organization: TestOrganization): Promise<string[]> => {
    const { rows } = await world.database.query<{ id: string }>(
      `select charge.id
         from organization.credit_log charge
        where charge.organization_id = $1
          and charge.kind = 'charge'
          and not exists (
            select from organization.credit_log reversal
             where reversal.operation_id = charge.operation_id and reversal.kind = 'reversal')`,
      [organization.id],
    );
    return rows.map((row) => row.id).sort();
  };

  it.each(services)('%s: every failure meanwhile is a coded error, and none is unexpected', (service) => {
    const { seen } = storyOf(service);
    expect(seen.codes.filter((code) => !isErrorCode(code) || code === 'internal_error')).toEqual([]);
    // Clients of the gateway that died got no answer.
    if (service !== 'gateway') expect(seen.broken).toBe(0);
  });

  /** What was answered and what is charged, once nothing is provisional any more. */
  const settledStory = async (service: ServiceName) => {
    const { organization, seen } = storyOf(service);
    const provisional = `select from organization.provisional_charges where organization_id = $1`;
    await waitFor(
      'every charge to be confirmed or reversed',
      async () => (await world.database.query(provisional, [organization.id])).rowCount === 0,
    );
    return { answered: [...seen.charged].sort(), charges: await netCharges(organization) };
  };

  it.each(services.filter((it) => it !== 'gateway'))(
    '%s: within a minute, exactly the compiles that were answered are charged',
    async (service) => {
      const { answered, charges } = await settledStory(service);
      expect(charges).toEqual(answered);
    },
  );

  // Between the write of an answer and the note that it left lies a turn of the gateway's loop. A gateway that dies in
  // it has given an answer away; the other order would charge for an answer that was never sent.
  it('gateway: within a minute, the compiles that were answered are charged, but for those of its last moment', async () => {
    const { answered, charges } = await settledStory('gateway');
    expect(charges.filter((id) => !answered.includes(id))).toEqual([]);
    expect(answered.length - charges.length).toBeLessThanOrEqual(clients);
  });
});
