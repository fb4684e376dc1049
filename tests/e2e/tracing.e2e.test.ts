import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collector, type Span, startCollector } from '../kit/collector.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import type { World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';
import { WatchedStory } from '../kit/watched.ts';

/** The span of the client that the gateway goes on with. */
const outside = 'b7ad6b7169203331';

describe('a trace', () => {
  let collector: Collector;
  let own: OwnStack;
  let world: World;
  let receiver: Receiver;
  let story: WatchedStory;

  beforeAll(async () => {
    collector = await startCollector();
    receiver = await startReceiver();
    own = await startOwnStack('trace', { seed: false, small: true, env: collector.env });
    ({ world } = own);
    const organization = await world.newOrganization({ tier: 'pro' });
    story = await WatchedStory.begin(world.api.with((await organization.key()).key));
  });

  afterAll(async () => {
    await own?.close();
    await receiver?.close();
    collector?.close();
  });

  const headersOf = (traceId: string) => ({ traceparent: `00-${traceId}-${outside}-01` });
  const spansOf = (traceId: string): Span[] => collector.spans.filter((it) => it.traceId === traceId);

  /**
   * Waits for a span that begins like each of these, `service: name`, in the trace; it has one root then, and hangs
   * together. Services hand over their spans each in its own time.
   */
  const whole = async (traceId: string, wanted: string[]): Promise<void> => {
    const named = () => new Set(spansOf(traceId).map((it) => `${it.service}: ${it.name}`));
    const missing = () => wanted.filter((it) => ![...named()].some((name) => name.startsWith(it)));
    const ids = () => new Set([outside, ...spansOf(traceId).map((it) => it.spanId)]);
    const orphans = () =>
      spansOf(traceId).filter((it) => it.parentSpanId !== undefined && !ids().has(it.parentSpanId));
    const roots = () => spansOf(traceId).filter((it) => (it.parentSpanId ?? outside) === outside);
    const isWhole = () => missing().length + orphans().length === 0 && roots().length === 1;
    try {
      await waitFor('the trace', isWhole);
    } catch {
      expect({ missing: missing(), orphans: orphans(), roots: roots().length, seen: [...named()] }).toEqual({
        missing: [],
        orphans: [],
        roots: 1,
        seen: expect.anything(),
      });
    }
  };

  it('of a compilation runs from the HTTP request across NATS to every service and its SQL', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    expect((await story.compile(headersOf(traceId))).status).toBe(200);
    await whole(traceId, [
      'gateway: POST /templates/compile',
      'compile: compile.compile-template',
      'template: template.',
      'organization: organization.',
      'organization: sql ',
    ]);
  });

  it('of a message reaches the call of the chat platform', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    expect((await story.send('C1001', headersOf(traceId))).status).toBe(200);
    await whole(traceId, [
      'gateway: POST /templates/send',
      'delivery: delivery.send-template',
      'delivery: chat chat.postMessage',
      'compile: compile.',
      'template: template.',
      'organization: organization.',
    ]);
  });

  it('the trace of a push continues after its window, over the outboxes, until the digest is posted', async () => {
    const traceId = '2af7651916cd43dd8448eb211c80319c';
    expect(await story.digest('C1002', headersOf(traceId))).toBe('delivered');
    await whole(traceId, [
      'gateway: POST /queues/{id}/events',
      'queue-ingest: queue-ingest.push-packed-events',
      'queue-ingest: close batch',
      'delivery: delivery.deliver-batch',
      'delivery: deferred send',
      'queue-ingest: queue-ingest.get-batch-content',
      'delivery: chat chat.postMessage',
      'queue-ingest: queue-ingest.report-batch',
      'compile: compile.',
      'organization: organization.',
    ]);
  });

  it('of a push reaches the destination of its queue, which is told nothing of it', async () => {
    const traceId = '3af7651916cd43dd8448eb211c80319c';
    expect(await story.deliver(receiver.url, headersOf(traceId))).toBe('delivered');
    await whole(traceId, [
      'gateway: POST /queues/{id}/events',
      'queue-ingest: close batch',
      'delivery: deferred send',
      'delivery: delivery',
      'delivery: destination call',
      'queue-ingest: queue-ingest.report-batch',
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('of a click goes on until the message is updated', async () => {
    const ts = await story.sendButton('C1003');
    const sent = (await world.sandbox.messages('C1003')).find((message) => message.ts === ts);
    const action = { type: 'button', action_id: 'done', block_id: 'buttons' };
    const used = { workspace: sent?.workspace, channel: 'C1003', ts, user: 'U0ADA', action };
    const clicked = await fetch(`${world.sandboxUrl}/interactions/action`, {
      method: 'POST',
      body: JSON.stringify(used),
    });
    expect(await clicked.json()).toEqual({ ok: true });
    // The platform hands on no trace: the gateway begins one.
    const root = await waitFor('the click', () =>
      collector.spans.find((it) => it.name === 'POST /chat/interactions'),
    );
    const { traceId } = root;
    const wanted = ['delivery: interaction action', 'delivery: chat chat.update'];
    await whole(traceId, [...wanted, 'delivery: delivery.receive-interaction']);
  });
});
