import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newContext, statement } from '@stanza/runtime';
import { endingAfterReads } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newDestination } from '../testing/deliveries.ts';
import { answer, type Receiver, startReceiver } from '../testing/receiver.ts';
import { ask, openWorld, refusalOf, somebody, untilOneWaits } from '../testing/world.ts';
import { checkDestination } from './check-destination.ts';
import { testDestination } from './test-destination.ts';

const remove = statement<object>('test-remove-destination', 'delete from destinations where id = $1');

describe('a destination that is deleted while a request works with it', () => {
  const world = sharedByTests(openWorld);
  const principal = somebody();
  let receiver: Receiver;
  let id: string;
  beforeEach(async () => {
    receiver = await startReceiver();
    ({ id } = await newDestination(world(), principal, { url: receiver.url }));
  });
  afterEach(() => receiver.close());

  const test = () => {
    const context = newContext({ deadlineMs: 15_000, principal });
    return ask(testDestination(world()), { params: { id }, body: { payload: {} } }, principal, context);
  };

  it('A destination that is being deleted is not there for what would refer to it, also where that ends during the check', async () => {
    const { organization_id, environment } = principal;
    await world().rows('update destinations set deleting_at = clock_timestamp() where id = $1', [id]);
    const database = endingAfterReads(world().database, () => world().database.query(remove, [id]));
    const check = ask(checkDestination({ ...world(), database }), {
      organization_id,
      environment,
      destination_id: id,
    });
    expect(await refusalOf(check)).toMatchObject({ code: 'not_found' });
  });

  it('A destination is not found by a test that waits for its deletion', async () => {
    let tested: Promise<unknown> = Promise.resolve();
    await world().database.transaction(async (tx) => {
      await tx.query(remove, [id]);
      tested = refusalOf(test());
      await untilOneWaits(world());
    });
    expect(await tested).toMatchObject({ code: 'not_found' });
    expect(receiver.received).toEqual([]);
  });

  it('A destination is not found by a test whose payload is on its way when it is deleted', async () => {
    receiver.behave((...request) => {
      void world()
        .rows('delete from destinations where id = $1', [id])
        .then(() => answer(200)(...request));
    });
    expect(await refusalOf(test())).toMatchObject({ code: 'not_found' });
  });
});
