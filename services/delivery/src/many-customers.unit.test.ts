import { describe, expect, it } from '@jest/globals';
import { chatMethods } from '@stanza/contracts';
import { createMetrics, type Metrics, noTracing, silentLogger, systemClock } from '@stanza/runtime';
import { v7 } from 'uuid';
import { guardChat } from './chat/guarded.ts';
import type { ChatOutcome, ChatPlatform } from './chat/platform.ts';
import { breakerKey, createDestinationDependencies } from './destinations/dependencies.ts';
import { DestinationFault } from './destinations/fault.ts';
import type { OutboundReply } from './destinations/outbound-reply.ts';

/** Enough for every method to end in every way, and ten times as many. */
const few = 100;
const many = 1_000;
const maxSeries = 5_000;

const outcomes: readonly ChatOutcome[] = [
  { kind: 'ok', data: {} },
  { kind: 'refused', error: 'channel_not_found', notes: [] },
  { kind: 'rate_limited', retryAfter: 1 },
  { kind: 'not_sent', reason: 'connect' },
  { kind: 'ambiguous', reason: 'timeout' },
];

/** A platform that answers each call with the next of the outcomes. */
const platformOfAll = (): ChatPlatform => {
  let calls = 0;
  return {
    call: async ({ method }) => {
      const outcome = outcomes[calls++ % outcomes.length] ?? { kind: 'ok', data: {} };
      const attempt = {
        method,
        outcome: outcome.kind,
        latency_ms: 4,
        started_at: '2026-11-21T12:00:00.000Z',
      };
      return { outcome, attempt };
    },
    close: async () => undefined,
  };
};

const scrape = async ({ registry }: Metrics) => {
  const text = await registry.metrics();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return { text, series };
};

/** Every organization calls its workspace with some method, and the next time with another. */
const callAll = async (metrics: Metrics, organizations: number): Promise<() => Promise<void>> => {
  const guarded = guardChat(platformOfAll(), { metrics, tracing: noTracing, resetTimeoutMs: 10_000 });
  const log = silentLogger();
  for (let index = 0; index < organizations; index++) {
    const method = chatMethods[index % chatMethods.length] ?? 'auth.test';
    const args = { channel: `C${index}` };
    await guarded.call({ method, args, timeoutMs: 1_000, workspaceId: `T${1e9 + index}`, log });
  }
  return () => guarded.close();
};

/** Every organization has a destination at a host of its own, which does well, refuses, or is away. */
const deliverAll = async (metrics: Metrics, organizations: number): Promise<() => void> => {
  const settings = {
    STANZA_DESTINATION_NAME_SERVERS: [],
    STANZA_DESTINATION_ALLOW: { ranges: [], hosts: new Set<string>() },
    STANZA_DESTINATION_DENY: new Set<string>(),
    STANZA_DESTINATION_PORTS: new Set([443]),
    STANZA_DESTINATION_TEST_HOSTS: new Set<string>(),
    STANZA_DESTINATION_DISABLE_AFTER: 20,
  };
  const dependencies = createDestinationDependencies({ settings, metrics, clock: systemClock });
  const ends: OutboundReply['outcome'][] = ['delivered', 'refused', 'not_sent', 'lost'];
  for (let index = 0; index < organizations; index++) {
    const outcome = ends[index % ends.length] ?? 'lost';
    const reply = { outcome, latencyMs: 12 };
    const key = breakerKey({ organization_id: v7(), url: `https://host-${index}.example:8443/hooks` });
    const attempt = dependencies.breakers.run(key, async () => {
      dependencies.observe(outcome, reply.latencyMs);
      if (outcome === 'lost') throw new DestinationFault(reply);
    });
    await (outcome === 'lost' ? expect(attempt).rejects.toThrow(DestinationFault) : attempt);
    dependencies.count(outcome === 'delivered' ? 'delivered' : 'failed', 'batch');
    dependencies.countRefused(index % 2 === 0 ? 'save' : 'connect');
  }
  return () => dependencies.breakers.close();
};

/** What a process tells that has met this many organizations. */
const toldOf = async (organizations: number) => {
  const metrics = createMetrics({ service: 'delivery', processMetrics: false });
  const ends = [await callAll(metrics, organizations), await deliverAll(metrics, organizations)];
  const told = await scrape(metrics);
  for (const end of ends) await end();
  return told;
};

describe('a process that has met the workspaces and hosts of many organizations', () => {
  it('has as few series as with a few organizations, and none of their names', async () => {
    const { text, series } = await toldOf(many);
    expect(text).toMatch(/stanza_chat_calls_total\{[^}]*\} [1-9]/);
    expect(text).toContain(`stanza_delivery_attempts_total{outcome="lost",service="delivery"} ${many / 4}`);
    expect(text).not.toMatch(/T1000|host-\d|C\d{3}|[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(series).toBe((await toldOf(few)).series);
    expect(series).toBeLessThan(maxSeries);
  });
});
