import { describe, expect, it } from '@jest/globals';
import { metricCatalogue, metricDeclarations } from '@stanza/contracts';
import { createMetrics, pageOf } from './metrics.ts';

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

  it('of several services are one page, which describes each metric once and has the start of the process', async () => {
    const own = ['delivery', 'gateway'].map((service) => createMetrics({ service, processMetrics: false }));
    for (const metrics of own) {
      metrics.gauge(metricCatalogue.runtime.natsConnected).set(1);
      metrics.counter(metricCatalogue.runtime.backgroundRuns);
    }
    const page = await pageOf([createMetrics({ service: 'services', processMetrics: true }), ...own]);
    const { name, help } = metricCatalogue.runtime.natsConnected;
    expect(page).toContain(
      `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}{service="delivery"} 1\n${name}{service="gateway"} 1\n`,
    );
    expect(page.match(/^# HELP stanza_background_runs_total /gm)).toHaveLength(1);
    expect(page.match(/^process_start_time_seconds.*/gm)).toEqual([expect.stringContaining('"services"')]);
  });

  it('of a single service are its page', async () => {
    const metrics = made();
    metrics.counter(metricCatalogue.delivery.deliveries);
    expect(await pageOf([metrics])).toBe(await metrics.registry.metrics());
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
