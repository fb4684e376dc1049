import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMetrics } from '../observability/metrics.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import type { Database } from './database.ts';
import { withinOrganizations } from './reach.ts';
import { createReports, reportConnections } from './reports.ts';
import { statement } from './statement.ts';

const takesLong = statement<object>('report-takes-long', 'select pg_sleep(600)');
const currentLimit = statement<{ limit: string }>(
  'report-current-limit',
  "select current_setting('statement_timeout') as limit",
);

let postgres: TestPostgres;
let small: Database;
let url: string;

beforeAll(async () => {
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, 'organization');
  small = await connectTo(url, 'organization', { pool: reportConnections });
});
afterAll(async () => {
  await small.close();
  await postgres.close();
});

const metrics = () => createMetrics({ service: 'organization', processMetrics: false });

describe('a report', () => {
  it('whose statement takes too long ends: service_unavailable, and the limit is left behind', async () => {
    const reports = createReports(small, metrics(), { statementMs: 50 });
    await expect(reports.query(takesLong)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await reports.query(currentLimit)).toEqual([{ limit: '50ms' }]);
    expect(await small.query(currentLimit)).toEqual([{ limit: '10s' }]);
  });

  it('of another organization does not wait for all those of one', async () => {
    const reports = createReports(small, metrics(), { statementMs: 60_000 });
    const held = Promise.withResolvers<void>();
    const ended: string[] = [];
    const busy = Array.from({ length: 8 }, () =>
      withinOrganizations(['busy'], () =>
        reports.transaction(async () => {
          await held.promise;
          ended.push('busy');
        }),
      ),
    );
    expect(await withinOrganizations(['other'], () => reports.query(currentLimit))).toHaveLength(1);
    expect(ended).toEqual([]);
    held.resolve();
    await Promise.all(busy);
    expect(ended).toHaveLength(8);
  });
});
