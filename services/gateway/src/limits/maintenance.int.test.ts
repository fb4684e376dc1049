import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetrics, type Database } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { readMaintenance, writeMaintenance } from '../store/maintenance.ts';
import { openWorld } from '../testing/world.ts';
import { Maintenance, presentMaintenance } from './maintenance.ts';

describe('the maintenance mode', () => {
  const world = sharedByTests(openWorld);
  afterEach(() => world().rows('delete from maintenance'));

  const metrics = createMetrics({ service: 'gateway', processMetrics: false });
  const known = (database: Database = world().database) =>
    new Maintenance({ database, log: world().log, metrics });
  const set = (on: boolean, told: { message?: string; retry_after?: number } = {}) =>
    writeMaintenance(world().database, { on, message: null, retry_after: 60, ...told }, world().clock.now());
  const shown = async () => presentMaintenance(await readMaintenance(world().database));

  it('is off before it is first set', async () => {
    const maintenance = known();
    await maintenance.load();
    expect(maintenance.current).toBeUndefined();
    expect(await shown()).toEqual({ on: false, message: null, retry_after: 60, since: null });
  });

  it('keeps the latest setting and its original beginning', async () => {
    const since = world().clock.now().toISOString();
    await set(true);
    world().clock.pass(60_000);
    await set(true, { message: 'Back at noon.', retry_after: 600 });
    expect(await shown()).toEqual({ on: true, message: 'Back at noon.', retry_after: 600, since });
    await set(false);
    expect(await shown()).toEqual({ on: false, message: null, retry_after: 60, since: null });
  });

  it('reaches a gateway at its next read, and shows in its metrics', async () => {
    const maintenance = known();
    await set(true);
    await maintenance.load();
    expect(maintenance.current).toMatchObject({ message: null, retry_after: 60 });
    const own = createMetrics({ service: 'gateway', processMetrics: false });
    const fresh = new Maintenance({ database: world().database, log: world().log, metrics: own });
    await fresh.load();
    expect(await own.registry.metrics()).toMatch(/^stanza_maintenance\{.*\} 1$/m);
  });

  it('keeps its last known state while the database is unavailable', async () => {
    let isAway = false;
    const maintenance = known({
      ...world().database,
      orm: world().database.orm,
      transaction: (work, options) => world().database.transaction(work, options),
      close: () => world().database.close(),
      query: (statement, values) =>
        isAway ? Promise.reject(new Error('away')) : world().database.query(statement, values),
    });
    await set(true);
    await maintenance.load();
    isAway = true;
    await expect(maintenance.load()).rejects.toThrow('away');
    expect(maintenance.current).toBeDefined();
  });
});
