import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestination } from '../operations/create-destination.ts';
import { getDestination } from '../operations/get-destination.ts';
import { getSigningSecret } from '../operations/get-signing-secret.ts';
import { listDestinations } from '../operations/list-destinations.ts';
import { testDestination } from '../operations/test-destination.ts';
import { updateDestination } from '../operations/update-destination.ts';
import { deliverDueNow, deliveriesOf, order, plainDestination } from '../testing/deliveries.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { ask, openWorld, refusalOf, somebody, type World } from '../testing/world.ts';

const token = 't0ken-4711-never-told';
const other = 'k3y-0815-never-told';

describe('the credentials of a destination', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await openWorld();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await world.close();
  });

  const everyRow = async (): Promise<string> => {
    const tables = await world.rows<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'delivery'",
    );
    const contents = await Promise.all(
      tables.map(({ name }) => world.rows<{ row: string }>(`select (it.*)::text as row from ${name} as it`)),
    );
    return contents
      .flat()
      .map(({ row }) => row)
      .join('\n');
  };

  it('are in no answer, no log line, no metric, and in no table in clear', async () => {
    const principal = somebody();
    receiver.behave((response, { headers }) => {
      response.writeHead(500).end(`refused: ${headers.authorization} ${headers['x-key']}`);
    });
    const headers = { Authorization: `Bearer ${token}`, 'X-Key': other };
    const body = { ...plainDestination, url: receiver.url, headers, auth_type: 'bearer' };
    const answers: unknown[] = [];
    const made = await ask(createDestination(world), { body }, principal);
    const params = { id: made.id };
    answers.push(made, await ask(getDestination(world), { params }, principal));
    const query = { limit: 20, offset: 0, sort: '-created_at' };
    answers.push(await ask(listDestinations(world), { query }, principal));
    answers.push(await ask(updateDestination(world), { params, body: { headers } }, principal));
    const bad = { params, body: { auth_type: 'basic', headers: { Authorization: `Bearer ${token}` } } };
    answers.push(JSON.stringify(await refusalOf(ask(updateDestination(world), bad, principal))));
    answers.push(await ask(testDestination(world), { params, body: { payload: {} } }, principal));
    await order(world, principal, made.id);
    await deliverDueNow(world);
    answers.push(await deliveriesOf(world, principal, made.id));
    const { secret } = await ask(getSigningSecret(world), { params }, principal);

    expect(receiver.received.map((it) => it.headers.authorization)).toContain(`Bearer ${token}`);
    const places = {
      answers: JSON.stringify(answers),
      log: world.logged(),
      metrics: await world.metrics.registry.metrics(),
      tables: await everyRow(),
    };
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.length > 500]).toEqual([place, true]);
      for (const hidden of [token, other, secret, secret.replace('whsec_', '')]) {
        for (const spelling of [
          hidden,
          Buffer.from(hidden).toString('hex'),
          Buffer.from(hidden).toString('base64'),
        ]) {
          expect([place, text.includes(spelling)]).toEqual([place, false]);
        }
      }
    }
  });
});
