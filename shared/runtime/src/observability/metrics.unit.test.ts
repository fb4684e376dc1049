import { describe, expect, it } from '@jest/globals';
import { metricCatalogue, metricDeclarations } from '@stanza/contracts';
import { createMetrics } from './metrics.ts';

const made = () => createMetrics({ service: 'test', processMetrics: false });

describe('metrics', () => {
  it('start at zero when their series are known and few, so that the first increase is visible', async () => {
    const metrics = made();
    metrics.counter(metricCatalogue.delivery.deliveries);
    const text = await metrics.registry.metrics();
    for (const status of ['delivered', 'failed', 'unknown']) {
      expect(text).toContain(`stanza_deliveries_total{status="${status}",service="test"} 0`);
    }
  });

  it('start without series when there would be many, or when the label values are unknown', async () => {
    const metrics = made();
    metrics.counter(metricCatalogue.runtime.rpcServerCalls);
    metrics.counter(metricCatalogue.runtime.backgroundRuns);
    expect(await metrics.registry.metrics()).not.toMatch(/^stanza_/m);
  });

  it('are set at a scrape by all their collectors', async () => {
    const metrics = made();
    const { breakerOpenSeconds } = metricCatalogue.runtime;
    metrics.gauge(breakerOpenSeconds, (gauge) => gauge.set({ breaker: 'chat' }, 1));
    metrics.gauge(breakerOpenSeconds, (gauge) => gauge.set({ breaker: 'destination' }, 2));
    const { values } = await metrics.gauge(breakerOpenSeconds).get();
    expect(values.map((it) => it.value)).toEqual([1, 2]);
  });

  it('refuse labels that are not declared', () => {
    const counter = made().counter(metricCatalogue.gateway.keyedEnds);
    expect(() => counter.inc(Object.fromEntries([['organization_id', 'x']]))).toThrow(/label/);
  });

  it('are declared once each, with names that tell type and unit', () => {
    const names = metricDeclarations.map((it) => it.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, type, unit, help } of metricDeclarations) {
      expect(name).toMatch(/^stanza_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name.endsWith('_seconds')).toBe(unit === 'seconds');
      expect(help).toMatch(/^[A-Z0-9]/);
    }
  });
});
