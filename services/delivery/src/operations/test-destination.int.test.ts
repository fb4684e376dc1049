import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics, newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Dependencies } from '../dependencies.ts';
import { createDestinationDependencies } from '../destinations/dependencies.ts';
import { parseAllowed } from '../destinations/outbound-addresses.ts';
import { deliverDueNow, deliveriesOf, newDestination } from '../testing/deliveries.ts';
import { answer, keepSilent, type Receiver, startReceiver } from '../testing/receiver.ts';
import { ask, destinationSettings, openWorld, refusalOf, somebody } from '../testing/world.ts';
import { getDelivery } from './get-delivery.ts';
import { retryDelivery } from './retry-delivery.ts';
import { testDestination } from './test-destination.ts';

describe('test-destination', () => {
  const world = sharedByTests(openWorld);
  let receiver: Receiver;
  const principal = somebody();
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const test = (
    dependencies: Dependencies,
    id: string,
    context = newContext({ deadlineMs: 15_000, principal }),
  ) =>
    ask(
      testDestination(dependencies),
      { params: { id }, body: { payload: { type: 'test' } } },
      principal,
      context,
    );

  it('sends one signed payload, even to an inactive destination, and answers how that went', async () => {
    const { id } = await newDestination(world(), principal, { url: receiver.url, is_active: false });
    expect(await test(world(), id)).toMatchObject({
      success: true,
      delivery: {
        origin: 'test',
        status: 'delivered',
        attempts: [{ http_status: 200, response: 'thank you' }],
      },
    });
    expect(receiver.received).toMatchObject([
      { body: '{"type":"test"}', headers: { 'webhook-signature': expect.stringMatching(/^v1,/) } },
    ]);
  });

  it('tries a destination that may take longer than the caller waits', async () => {
    const { id } = await newDestination(world(), principal, { url: receiver.url, timeout_ms: 60_000 });
    expect(await test(world(), id)).toMatchObject({ success: true, delivery: { status: 'delivered' } });
  });

  it('tries once, whatever the destination says of retries, and counts no failure', async () => {
    receiver.behave(answer(500, 'broken'));
    const { id } = await newDestination(world(), principal, { url: receiver.url, retry_enabled: true });
    const { success, delivery } = await test(world(), id);
    expect([success, delivery.status, delivery.error]).toEqual([false, 'failed', 'destination_failed']);
    await deliverDueNow(world());
    expect(receiver.received).toHaveLength(1);
    const retried = ask(retryDelivery(world()), { params: { id, delivery_id: delivery.id } }, principal);
    expect(await refusalOf(retried)).toMatchObject({ code: 'invalid_state' });
  });

  it('is shown with what was sent, to its own tenant and under its own destination', async () => {
    const { id } = await newDestination(world(), principal, { url: receiver.url });
    const { id: other } = await newDestination(world(), principal, { url: receiver.url });
    const { delivery } = await test(world(), id);
    const show = (destination: string, by = principal) =>
      ask(getDelivery(world()), { params: { id: destination, delivery_id: delivery.id } }, by);
    const [received] = receiver.received;
    expect(await show(id)).toEqual({ ...delivery, payload: received?.body });
    expect(await refusalOf(show(other))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(show(id, somebody()))).toMatchObject({ code: 'not_found' });
    const preview = { ...principal, environment: 'preview' as const };
    expect(await refusalOf(show(id, preview))).toMatchObject({ code: 'not_found' });
  });

  it('is made once, however often its request is delivered', async () => {
    const { id } = await newDestination(world(), principal, { url: receiver.url });
    const context = newContext({ deadlineMs: 15_000, principal });
    expect(await test(world(), id, context)).toEqual(await test(world(), id, context));
    expect(receiver.received).toHaveLength(1);
  });

  it('goes to hosts alone that an operator enabled', async () => {
    const { id } = await newDestination(world(), principal, { url: 'https://hooks.example.com/' });
    expect(await refusalOf(test(world(), id))).toMatchObject({
      code: 'destination_test_host_not_enabled',
      status: 503,
      facts: { retry_after: expect.any(Number) },
    });
    expect(await deliveriesOf(world(), principal, id)).toEqual([]);
  });

  it('reports an unknown outcome when the answer is lost', async () => {
    receiver.behave(keepSilent);
    const { id } = await newDestination(world(), principal, { url: receiver.url });
    const refusal = await refusalOf(test(world(), id));
    const [delivery] = await deliveriesOf(world(), principal, id);
    expect(delivery).toMatchObject({ status: 'unknown' });
    expect(refusal).toMatchObject({
      code: 'delivery_outcome_unknown',
      status: 502,
      facts: { details: `delivery ${delivery?.id}` },
    });
  });

  it('is refused, and counted, when the name of an enabled host resolves to a private address', async () => {
    const metrics = createMetrics({ service: 'delivery', processMetrics: false });
    const destinations = createDestinationDependencies({
      settings: {
        ...destinationSettings,
        STANZA_DESTINATION_ALLOW: parseAllowed('') ?? destinationSettings.STANZA_DESTINATION_ALLOW,
        STANZA_DESTINATION_TEST_HOSTS: new Set(['rebound.example.com']),
      },
      metrics,
      clock: world().clock,
      resolve: (_host, found) => found(null, [{ address: '169.254.169.254', family: 4 }]),
    });
    const { id } = await newDestination(world(), principal, { url: 'https://rebound.example.com/' });
    expect(await refusalOf(test({ ...world(), destinations }, id))).toMatchObject({
      code: 'destination_address_refused',
      status: 400,
    });
    expect(await deliveriesOf(world(), principal, id)).toMatchObject([
      { status: 'failed', error: 'destination_address_refused', attempts: [{ outcome: 'not_sent' }] },
    ]);
    expect(await metrics.registry.metrics()).toMatch(
      /stanza_destination_addresses_refused_total\{at="connect",.*\} 1/,
    );
    destinations.breakers.close();
  });
});
