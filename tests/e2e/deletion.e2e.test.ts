import { describe, expect, it } from '@jest/globals';
import {
  compileTemplate,
  createModal,
  createQueue,
  deleteOrganization,
  getTemplate,
  pushEvents,
  schemaOf,
  sendTemplate,
  serviceNames,
  showOrganization,
} from '@stanza/contracts';
import { testGateways } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Api } from '../kit/api.ts';
import { Api as ApiOf } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorld } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** What stays of an organization: the bare facts of its erasure, and the ledger without names. */
const kept = ['organization.credit_accounts', 'organization.credit_log', 'organization.erasures'];
/** Hashes of its audit log, which stay too: of an organization that was sealed before it was deleted. */
const seals = 'organization.audit_seals';

describe('an organization that is deleted', () => {
  const world = sharedByTests(openWorld);

  /** An active modal and a live template that opens it: rows that refer to one another. */
  const openModal = async (api: Api): Promise<void> => {
    const blocks = [{ type: 'divider' }];
    const { id: modal_id } = await api.ok(createModal, {
      body: { name: 'Details', title: 'Details', blocks, activate: true },
    });
    const button = {
      type: 'button',
      text: { type: 'plain_text', text: 'Details' },
      interaction: [{ type: 'open_modal', modal_id }],
    };
    await liveTemplate(api, [{ type: 'actions', elements: [button] }]);
  };

  /** Something of everything, in one environment. */
  const live = async (api: Api, channel: string): Promise<string> => {
    const { id } = await liveTemplate(api, undefined, { sample_data: { service: 'api' } });
    await api.ok(compileTemplate, { body: { template_id: id, data: {} } });
    await api.ok(sendTemplate, { body: { template_id: id, data: {}, channel_id: channel } });
    const policy = { name: 'Digest', mode: 'fixed_volume', threshold: 50, template_id: id };
    const queue = await api.ok(createQueue, { body: { ...policy, channel_id: channel } });
    await api.ok(pushEvents, { params: { id: queue.id }, body: { events: [{ id: 'one' }, {}] } });
    await openModal(api);
    const keyed = { 'idempotency-key': 'k1' };
    await api.post('/v1/templates/compile', { template_id: id, data: {} }, { headers: keyed });
    return id;
  };

  const apisOf = async (organization: TestOrganization, environment: 'production' | 'preview') => {
    const { key } = await organization.key({ environment });
    return testGateways().map((base) => new ApiOf(base, key));
  };

  /** Every table of every service with rows of an organization. */
  const tablesWith = async (organizationId: string): Promise<string[]> => {
    const schemas = serviceNames.map(schemaOf);
    const { rows: tables } = await world().database.query<{ name: string }>(
      `select format('%s.%s', nspname, relname) as name
       from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped
       where nspname = any ($1) and relkind in ('r', 'p') and not relispartition
       order by 1`,
      [schemas],
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await world().database.query(
        `select from ${name} where organization_id = $1 limit 1`,
        [organizationId],
      );
      if (rowCount) found.push(name);
    }
    return found;
  };

  it('is refused everywhere, then erased everywhere; others are untouched', async () => {
    const [doomed, other] = [
      await world().newOrganization({ tier: 'pro' }),
      await world().newOrganization({ tier: 'pro' }),
    ];
    const apis = [...(await apisOf(doomed, 'production')), ...(await apisOf(doomed, 'preview'))];
    const [production, , preview] = apis;
    const [otherApi] = await apisOf(other, 'production');
    if (!production || !preview || !otherApi) throw new Error('the stack has no two gateways');
    await live(production, 'C1901');
    await live(preview, 'C1902');
    const otherTemplate = await live(otherApi, 'C1903');
    const { token } = await doomed.session({ role: 'admin' });
    expect((await tablesWith(doomed.id)).length).toBeGreaterThan(15);

    await production.ok(deleteOrganization, { params: { id: doomed.id } });
    const callers = [...apis, ...testGateways().map((base) => new ApiOf(base, token))];
    await waitFor('every key and session to be refused on every gateway', async () => {
      const answers = await Promise.all(callers.map((api) => api.get('/v1/templates')));
      return answers.every((it) => it.status === 401 || it.status === 403);
    });

    const gone = await waitFor('the erasure', async () => {
      const shown = await doomed.call(showOrganization, { organization_id: doomed.id });
      return shown.erased_at !== null && shown;
    });
    expect(gone).toMatchObject({ name: 'deleted', status: 'deleted' });
    expect((await tablesWith(doomed.id)).filter((table) => table !== seals)).toEqual(kept);
    expect((await otherApi.ok(getTemplate, { params: { id: otherTemplate } })).id).toBe(otherTemplate);
    expect((await tablesWith(other.id)).length).toBeGreaterThan(15);
  });
});
