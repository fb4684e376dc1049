import { describe, expect, it } from '@jest/globals';
import { schemaOf, sendTemplate, serviceNames } from '@stanza/contracts';
import { testStack } from '@stanza/test-kit/database';
import { channelsOf } from '../kit/channels.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { withLiveTemplate } from '../kit/templates.ts';

/** The services that have a schema in the database. */
const storing = serviceNames.filter((name) => name !== 'compile');

describe('a small stack, whose services are one process', () => {
  const own = sharedByTests(() => withLiveTemplate(openWorldWith()));

  it('has one process for all, and the usual ones for further replicas', () => {
    const { pids } = testStack();
    expect(Object.keys(pids).sort()).toEqual([
      'compile-2',
      'gateway-2',
      'nats',
      'postgres',
      'sandbox',
      'services',
    ]);
  });

  it('takes a message from the request to the channel', async () => {
    const { api, world, template } = own();
    const data = { service: 'api', version: '1.4.2' };
    const body = { template_id: template.id, data, channel_id: channelsOf('small').next() };
    const sent = await api.ok(sendTemplate, { body });
    expect(await world.sandbox.messages(sent.channel)).toMatchObject([{ key: sent.message_id }]);
  });

  it('gives each service the role of its own in the database', async () => {
    const { rows } = await own().world.database.query<{ service: string; role: string }>(
      `select distinct application_name as service, usename as role from pg_stat_activity
       where application_name like 'stanza %' and usename is not null`,
    );
    for (const name of storing) {
      const roles = rows.filter(({ service }) => service === `stanza ${name}`).map(({ role }) => role);
      expect([name, roles]).toEqual([name, [`stanza_${schemaOf(name)}`]]);
    }
  });

  it('shows the metrics of each service under its label, and those of the process once', async () => {
    const all = new URL(testStack().metrics.delivery ?? '');
    all.search = '';
    const page = await (await fetch(all)).text();
    for (const name of serviceNames) expect(page).toContain(`stanza_nats_connected{service="${name}"} 1`);
    expect(page.match(/^process_start_time_seconds.*/gm)).toEqual([
      expect.stringContaining('{service="services"}'),
    ]);
  });
});
