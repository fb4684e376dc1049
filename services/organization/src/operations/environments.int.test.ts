import { describe, expect, it } from '@jest/globals';
import {
  type AuditEntry,
  type Environment,
  getUsage as getUsageOperation,
  listAuditLog as listAuditOperation,
  listCreditLog as listCreditOperation,
  type Principal,
  scopesOfRole,
  type UsageGrouping,
} from '@stanza/contracts';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { found, openWorld, runAs, runInternal } from '../testing/world.ts';
import { chargeCredits } from './charge-credits.ts';
import { getUsage } from './get-usage.ts';
import { listAuditLog } from './list-audit-log.ts';
import { listCreditLog } from './list-credit-log.ts';
import { recordAudit } from './record-audit.ts';

const page = { limit: 100, offset: 0 };

describe('records shared by both environments, read with a key or a session token of preview', () => {
  const world = sharedByTests(openWorld);

  /** An organization with a charge and an audit entry in each environment. */
  const busy = async () => {
    const { id, ownerId } = await found(world());
    const templates = { production: uuidv7(), preview: uuidv7() };
    for (const environment of ['production', 'preview'] as const) {
      const template_id = templates[environment];
      const charge = { environment, operation_id: uuidv7(), template_id, actor_id: `key of ${environment}` };
      await runInternal(chargeCredits(world()), { organization_id: id, charges: [charge] });
      const entry: AuditEntry = {
        organization_id: id,
        environment,
        actor: { type: 'api_key', id: `key of ${environment}` },
        action: 'template.created',
        subject: { kind: 'template', id: template_id },
        changes: { name: environment },
        request_id: 'r1',
        at: world().clock.now().toISOString(),
      };
      await runJob(recordAudit(world()), entry);
    }
    const as = (type: 'api_key' | 'session', environment: Environment): Principal => ({
      organization_id: id,
      environment,
      actor: { type, id: uuidv7(), user_id: ownerId },
      role: 'owner',
      scopes: [...scopesOfRole('owner')],
    });
    return { id, templates, as };
  };

  const audit = async (principal: Principal, query: { environment?: Environment } = {}) =>
    listAuditOperation.reply.parse(
      await runAs(listAuditLog(world()), principal, {
        params: undefined,
        query: { ...page, ...query },
        body: undefined,
      }),
    );
  const ledger = async (principal: Principal, query: object = {}) =>
    listCreditOperation.reply.parse(
      await runAs(listCreditLog(world()), principal, {
        params: { organization_id: principal.organization_id },
        query: { ...page, ...query },
        body: undefined,
      }),
    );
  const use = async (principal: Principal, group_by: UsageGrouping) =>
    getUsageOperation.reply.parse(
      await runAs(getUsage(world()), principal, {
        params: undefined,
        query: { ...page, group_by },
        body: undefined,
      }),
    );

  it('list audit entries of preview only: none of production, none of the organization', async () => {
    const { templates, as } = await busy();
    for (const preview of [
      as('api_key', 'preview'),
      { ...as('session', 'preview'), confined: true as const },
    ]) {
      for (const query of [{}, { environment: 'preview' as const }]) {
        const { data, pagination } = await audit(preview, query);
        expect(data.map((line) => line.subject.id)).toEqual([templates.preview]);
        expect(pagination.total).toBe(1);
      }
      await expect(audit(preview, { environment: 'production' })).rejects.toMatchObject({
        code: 'access_denied',
        facts: { required_scopes: [], user_scopes: preview.scopes },
      });
      expect((await ledger(preview)).data).toMatchObject([{ template_id: templates.preview }]);
    }
  });

  it('list ledger rows of preview only, under every filter', async () => {
    const { templates, as } = await busy();
    const preview = as('api_key', 'preview');
    const { data, pagination } = await ledger(preview);
    expect(data).toMatchObject([{ environment: 'preview', template_id: templates.preview, amount: -1 }]);
    expect(pagination.total).toBe(1);
    for (const query of [
      { template_id: templates.production },
      { key_id: 'key of production' },
      { kind: 'grant' },
    ]) {
      expect(await ledger(preview, query)).toMatchObject({ data: [], pagination: { total: 0 } });
    }
  });

  it.each(['day', 'operation', 'template', 'key'] as const)(
    'sum up the usage of preview only, by %s',
    async (by) => {
      const { templates, as } = await busy();
      const shown = await use(as('api_key', 'preview'), by);
      expect(shown.total).toMatchObject({ charges: 1, credits: 1 });
      expect(shown.pagination.total).toBe(1);
      expect(JSON.stringify(shown)).not.toContain(templates.production);
      expect(JSON.stringify(shown)).not.toContain('key of production');
    },
  );

  it.each([
    ['api_key', 'production'],
    ['session', 'production'],
    ['session', 'preview'],
  ] as const)(
    'include both environments for principals allowed to see both: %s of %s',
    async (type, environment) => {
      const { templates, as } = await busy();
      const caller = as(type, environment);
      expect((await audit(caller)).data.map((line) => line.environment)).toEqual([
        'preview',
        'production',
        null,
      ]);
      expect((await audit(caller, { environment: 'preview' })).data).toHaveLength(1);
      expect((await ledger(caller)).data.map((row) => row.environment)).toEqual([
        'preview',
        'production',
        null,
      ]);
      const groups = (await use(caller, 'template')).data.map((it) => it.group);
      expect(new Set(groups)).toEqual(new Set(Object.values(templates)));
    },
  );
});
