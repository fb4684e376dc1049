import { expect, it } from '@jest/globals';
import { metricCatalogue } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { reserveCredits } from '../operations/reserve-credits.ts';
import { found, openWorld, runInternal } from '../testing/world.ts';
import { measureReservations } from './measure-reservations.ts';

const world = sharedByTests(openWorld);

const measured = async () => {
  await measureReservations(world())();
  const { reservations, reservationsOldest } = metricCatalogue.organization;
  const current = async (declaration: typeof reservations) =>
    (await world().metrics.gauge(declaration).get()).values[0]?.value;
  return { open: await current(reservations), seconds: await current(reservationsOldest) };
};

it('the reservation metrics report the number of open ones and the age of the oldest', async () => {
  expect(await measured()).toEqual({ open: 0, seconds: 0 });
  const { id } = await found(world(), { credits: 5 });
  await runInternal(reserveCredits(world()), {
    organization_id: id,
    environment: 'production',
    operation_id: newId(),
    operation: 'send',
    template_id: newId(),
    actor_id: newId(),
    amount: 2,
  });
  world().clock.pass(90_000);
  expect(await measured()).toEqual({ open: 1, seconds: 90 });
});
