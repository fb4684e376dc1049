import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, type InputOf, listAuditLog as operation } from '@stanza/contracts';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import { walked } from '@stanza/test-kit/walked';
import { v7 as uuidv7 } from 'uuid';
import { forgetAudit } from '../jobs/forget-audit.ts';
import { sealAudit } from '../jobs/seal-audit.ts';
import { auditOf, found, openWorld, rowsAsOwner, run, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { createKey } from './create-key.ts';
import { grantCredits } from './grant-credits.ts';
import { listAuditLog } from './list-audit-log.ts';
import { recordAudit } from './record-audit.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';

describe('the audit log', () => {
  const world = sharedByTests(openWorld);

  type Query = Partial<InputOf<typeof operation>['query']>;
  const list = async (organizationId: string, query: Query = {}) =>
    operation.reply.parse(
      await run(
        listAuditLog(world()),
        { params: undefined, query: { limit: 20, offset: 0, ...query }, body: undefined },
        { organizationId, environment: 'preview' },
      ),
    );
  const actions = async (organizationId: string, query: Query = {}) =>
    (await list(organizationId, query)).data.map((line) => line.action);

  const entryOf = (organizationId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
    organization_id: organizationId,
    environment: 'preview',
    actor: { type: 'api_key', id: 'key-1', user_id: uuidv7() },
    action: 'template.created',
    subject: { kind: 'template', id: uuidv7() },
    changes: { name: 'Greeting' },
    request_id: 'r1',
    at: world().clock.now().toISOString(),
    ...more,
  });
  const deliver = (entry: AuditEntry, id = uuidv7()) => runJob(recordAudit(world()), entry, id);

  it('has an entry for every operator command, and none for a command that changed nothing', async () => {
    const { id } = await found(world());
    const member = { organization_id: id, email: `mel-${id}@example.com` };
    await runInternal(addMember(world()), { ...member, role: 'member' });
    await runInternal(addMember(world()), { ...member, role: 'member' });
    await runInternal(addMember(world()), { ...member, role: 'viewer' });
    const { key_id, key } = await runInternal(createKey(world()), { organization_id: id, name: 'CI' });
    const grant = { organization_id: id, grant_id: uuidv7(), amount: 5, reason: 'thanks' };
    for (let time = 0; time < 2; time += 1) {
      await runInternal(revokeKey(world()), { organization_id: id, key_id });
      await runInternal(setOrganizationStatus(world()), { organization_id: id, status: 'suspended' });
      await runInternal(grantCredits(world()), grant);
    }
    const lines = await auditOf(world(), id);
    expect(lines.map((line) => [line.action, line.environment])).toEqual([
      ['member.added', null],
      ['member.role_changed', null],
      ['api_key.created', 'production'],
      ['api_key.revoked', 'production'],
      ['organization.status_changed', null],
      ['credits.granted', null],
    ]);
    expect(new Set(lines.map((line) => `${line.actor_type} ${line.actor_id}`))).toEqual(
      new Set(['system operator']),
    );
    expect(lines[1]?.changes).toEqual({ role: { from: 'member', to: 'viewer' } });
    expect(lines[4]?.changes).toEqual({ status: { from: 'active', to: 'suspended' } });
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it('names a request as its client does, and apart from that by an id that no client chooses', async () => {
    const { id } = await found(world());
    const operation_id = uuidv7();
    await deliver(entryOf(id, { request_id: 'of-somebody-else', operation_id }));
    const { data } = await list(id, { request_id: 'of-somebody-else' });
    expect(data).toMatchObject([{ request_id: 'of-somebody-else', operation_id }]);
  });

  it('has no entry for a refused change', async () => {
    const { id, ownerId } = await found(world());
    const [owner] = await world().rows<{ email: string }>('select email from users where id = $1', [ownerId]);
    const demotion = { organization_id: id, email: owner?.email, role: 'viewer' };
    await expect(runInternal(addMember(world()), demotion)).rejects.toMatchObject({ code: 'access_denied' });
    const taking = { organization_id: id, grant_id: uuidv7(), amount: -1_000, reason: 'mistake' };
    await expect(runInternal(grantCredits(world()), taking)).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect(await auditOf(world(), id)).toEqual([]);
  });

  it('records an entry of another service once, however often it is delivered', async () => {
    const { id } = await found(world());
    const client = { address: '2001:db8::1', user_agent: 'curl/8.5.0' };
    const [message, entry] = [uuidv7(), entryOf(id, { client })];
    await deliver(entry, message);
    await deliver(entry, message);
    const { data } = await list(id, { action: 'template.created' });
    expect(data).toEqual([
      {
        id: message,
        environment: 'preview',
        actor: entry.actor,
        action: 'template.created',
        subject: entry.subject,
        changes: { name: 'Greeting' },
        request_id: 'r1',
        client,
        created_at: entry.at,
      },
    ]);
  });

  it('accepts entries of a version without client details, and entries made without a request', async () => {
    const { id } = await found(world());
    await deliver(entryOf(id));
    await deliver(entryOf(id, { client: { address: null, user_agent: 'curl/8.5.0' } }));
    expect((await list(id, { action: 'template.created' })).data.map((line) => line.client)).toEqual([
      { address: null, user_agent: 'curl/8.5.0' },
      null,
    ]);
  });

  it('lists both environments newest first, by page', async () => {
    const { id } = await found(world());
    for (const [number, environment] of (['production', 'preview', null] as const).entries()) {
      const at = new Date(world().clock.now().getTime() + (number + 1) * 1_000).toISOString();
      await deliver(entryOf(id, { environment, at, action: `template.step_${'abc'.charAt(number)}` }));
    }
    expect(await actions(id)).toEqual([
      'template.step_c',
      'template.step_b',
      'template.step_a',
      'organization.created',
    ]);
    expect(await list(id, { limit: 1, offset: 1 })).toMatchObject({
      data: [{ action: 'template.step_b' }],
      pagination: { limit: 1, offset: 1, total: 4 },
    });
    expect(await actions(id, { environment: 'production' })).toEqual(['template.step_a']);
  });

  it('shows each entry once by the cursor while others are written', async () => {
    const { id } = await found(world());
    const add = () => deliver(entryOf(id));
    // All at one moment.
    for (let count = 0; count < 3; count += 1) await add();
    const filter = { action: 'template.created', from: '2020-01-01T00:00:00Z' };
    const newest = (await list(id, filter)).data;
    expect(newest).toHaveLength(3);
    expect(await walked((query) => list(id, { ...filter, ...query }), add)).toEqual(newest);
  });

  it('filters by subject, user, key and time', async () => {
    const { id } = await found(world());
    const [mine, other] = [entryOf(id), entryOf(id, { at: '2026-12-01T00:00:00.000Z' })];
    await deliver(mine);
    await deliver({ ...other, actor: { type: 'session', id: 's1' }, subject: { kind: 'modal', id: 'm1' } });
    const total = async (query: Query) => (await list(id, query)).pagination.total;
    expect(await total({ subject_id: mine.subject.id })).toBe(1);
    expect(await total({ subject_kind: 'modal' })).toBe(1);
    expect(await total({ actor_id: 'key-1' })).toBe(1);
    expect(await total({ user_id: mine.actor.user_id ?? '' })).toBe(1);
    expect(await total({ from: '2026-12-01T01:00:00+01:00' })).toBe(1);
    expect(await total({ to: '2026-12-01T00:00:00Z' })).toBe(2);
  });

  it('shows no entries of another organization', async () => {
    const [one, other] = [await found(world()), await found(world())];
    await deliver(entryOf(one.id));
    expect(await actions(other.id)).toEqual(['organization.created']);
  });

  it('deletes entries past their retention, of every organization, and no others', async () => {
    const [one, two] = [await found(world()), await found(world())];
    for (const { id } of [one, two]) {
      await rowsAsOwner(
        world(),
        "update audit_log set recorded_at = now() - interval '92 days' where organization_id = $1",
        [id],
      );
      for (const daysAgo of [91.1, 88.9, 1]) {
        const lineId = uuidv7();
        await deliver(entryOf(id), lineId);
        await rowsAsOwner(
          world(),
          "update audit_log set recorded_at = now() - $2 * interval '1 day' where id = $1",
          [lineId, daysAgo],
        );
      }
      // Of a process whose clock is far behind: it was written now.
      const long = new Date(Date.now() - 400 * 24 * 3_600_000);
      await deliver(entryOf(id, { at: long.toISOString() }), uuidv7({ msecs: long.getTime() }));
    }
    await waitFor('the entries to be settled', async () => {
      await sealAudit(world())();
      return (await world().rows('select from audit_seals where organization_id = $1', [two.id])).length >= 4;
    });
    await forgetAudit(world(), { STANZA_AUDIT_DAYS: 90 })();
    for (const { id } of [one, two]) expect(await auditOf(world(), id)).toHaveLength(3);
  });
});
