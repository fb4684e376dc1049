import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery, Principal } from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { getDelivery } from '../operations/get-delivery.ts';
import { testDestination } from '../operations/test-destination.ts';
import { updateDestination } from '../operations/update-destination.ts';
import { deliverDueNow, deliveriesOf, newDestination } from '../testing/deliveries.ts';
import { answer, type Receiver, startReceiver } from '../testing/receiver.ts';
import { ask, openWorld, refusalOf, somebody, type World } from '../testing/world.ts';
import { insertDelivery } from './store/deliveries.ts';

const elsewhere = 'https://tickets.example.com/hooks/of-another';

describe('the payload of a delivery', () => {
  let world: World;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await openWorld();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  /** A delivery that its receiver has answered with a status, of a destination of its own. */
  const delivered = async (
    principal: Principal,
    origin: Delivery['origin'],
    status: number,
    answered = 'thank you',
  ) => {
    receiver.behave(answer(status, answered));
    const { id } = await newDestination(world, principal, { url: receiver.url, retry_enabled: false });
    const delivery_id = uuidv7();
    await insertDelivery(Tenant.of(principal), world.database, {
      id: delivery_id,
      operation_id: uuidv7(),
      destination_id: id,
      origin,
      origin_id: uuidv7(),
      payload: '{"secret":"plate 4711"}',
      dueInMs: 0,
      patienceMs: 60_000,
      traceparent: undefined,
    });
    await deliverDueNow(world);
    return { id, delivery_id };
  };

  const holding = (principal: Principal, ...scopes: Principal['scopes']): Principal => ({
    ...principal,
    scopes: ['destinations:write', ...scopes],
  });
  const lacks = (scope: string) => ({
    code: 'insufficient_scope',
    facts: { required_scopes: ['destinations:write', scope] },
  });

  it.each([
    ['batch', 'queues:write'],
    ['event', 'usage:read'],
    ['interaction', 'interactions:read'],
  ] as const)('of %s is read with the scope %s besides that of destinations', async (origin, scope) => {
    const principal = somebody();
    const params = await delivered(principal, origin, 200);
    const read = (...scopes: Principal['scopes']) =>
      ask(getDelivery(world), { params }, holding(principal, ...scopes));
    expect(await refusalOf(read())).toMatchObject(lacks(scope));
    expect(await read(scope)).toMatchObject({ payload: '{"secret":"plate 4711"}' });
  });

  it('stays unread in the answer of a receiver that repeats it', async () => {
    const principal = somebody();
    const { id } = await delivered(principal, 'batch', 400, 'no such plate: plate 4711');
    const answers = async (...scopes: Principal['scopes']) => {
      const [delivery] = await deliveriesOf(
        world,
        { ...principal, scopes: ['destinations:read', ...scopes] },
        id,
      );
      return delivery?.attempts.map(({ http_status, response }) => [http_status, response]);
    };
    expect(await answers()).toEqual([[400, undefined]]);
    expect(await answers('queues:write')).toEqual([[400, 'no such plate: plate 4711']]);
  });

  it('of a test is read by whoever may make one', async () => {
    const principal = holding(somebody());
    const { id } = await newDestination(world, principal, { url: receiver.url });
    const body = { payload: { type: 'test' } };
    const made = await ask(testDestination(world), { params: { id }, body }, principal);
    const params = { id, delivery_id: made.delivery.id };
    expect(await ask(getDelivery(world), { params }, principal)).toMatchObject({
      payload: '{"type":"test"}',
    });
  });

  it.each([
    ['batch', 'queues:write'],
    ['event', 'usage:read'],
  ] as const)(
    'of %s that has failed, and can be retried, goes elsewhere only by who has the scope %s',
    async (origin, scope) => {
      const principal = somebody();
      const { id } = await delivered(principal, origin, 400);
      const move = (...scopes: Principal['scopes']) =>
        ask(
          updateDestination(world),
          { params: { id }, body: { url: elsewhere } },
          holding(principal, 'interactions:read', ...scopes),
        );
      expect(await refusalOf(move())).toMatchObject(lacks(scope));
      expect(await move(scope)).toMatchObject({ url: elsewhere });
    },
  );

  it('that has arrived goes nowhere any more', async () => {
    const principal = somebody();
    const { id } = await delivered(principal, 'batch', 200);
    const blind = holding(principal, 'interactions:read');
    const moved = await ask(updateDestination(world), { params: { id }, body: { url: elsewhere } }, blind);
    expect(moved).toMatchObject({ url: elsewhere });
  });
});
