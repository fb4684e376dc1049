import { describe, expect, it } from '@jest/globals';
import {
  type ActivationPolicy,
  type AuditEntry,
  apiKeyDigest,
  defaultTiers,
  eraseOrganization,
  erasingServices,
  jobSubjectOf,
  type Principal,
} from '@stanza/contracts';
import { tablesWithOrganizations } from '@stanza/runtime';
import { asOwner, runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { eraseOwnOrganizations } from '../jobs/erase-organizations.ts';
import { accountOf, auditOf, found, openWorld, run, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { createKey } from './create-key.ts';
import { deleteOrganization } from './delete-organization.ts';
import { deleteUser } from './delete-user.ts';
import { getOrganization } from './get-organization.ts';
import { getOrganizationStatus } from './get-organization-status.ts';
import { getStoredLimits } from './get-stored-limits.ts';
import { getTier } from './get-tier.ts';
import { inviteMember } from './invite-member.ts';
import { organizationErased } from './organization-erased.ts';
import { recordAudit } from './record-audit.ts';
import { setOrganizationActivation } from './set-organization-activation.ts';
import { setOrganizationTier } from './set-organization-tier.ts';
import { settleReservation } from './settle-reservation.ts';
import { showOrganization } from './show-organization.ts';
import { updateOrganization } from './update-organization.ts';

describe('the life cycle of an organization', () => {
  const world = sharedByTests(openWorld);

  const byId = (id: string) => ({ params: { id }, query: undefined, body: undefined });
  const read = (organizationId: string, id = organizationId) =>
    run(getOrganization(world()), byId(id), { organizationId });
  const rename = (organizationId: string, name: string) =>
    run(
      updateOrganization(world()),
      { params: { id: organizationId }, query: undefined, body: { name } },
      { organizationId },
    );
  const remove = (organizationId: string, id = organizationId) =>
    run(deleteOrganization(world()), byId(id), { organizationId });
  const show = (organization_id: string) => runInternal(showOrganization(world()), { organization_id });

  it('is readable by its members only', async () => {
    const { id } = await found(world());
    expect(await read(id)).toMatchObject({ id, status: 'active', member_count: 1 });
    await expect(read(uuidv7(), id)).rejects.toMatchObject({ code: 'organization_not_found' });
  });

  it('is renamed once, with one audit entry', async () => {
    const { id } = await found(world());
    expect(await rename(id, 'Other')).toMatchObject({ name: 'Other' });
    expect(await rename(id, 'Other')).toMatchObject({ name: 'Other' });
    const actions = (await auditOf(world(), id)).map((line) => line.action);
    expect(actions.filter((it) => it === 'organization.updated')).toHaveLength(1);
  });

  it('has policies, which hold in both environments and are changed with one audit entry', async () => {
    const { id } = await found(world());
    const guard = (guard_activation: boolean) =>
      run(
        updateOrganization(world()),
        { params: { id }, query: undefined, body: { guard_activation } },
        { organizationId: id },
      );
    const status = () => runInternal(getOrganizationStatus(world()), { organization_id: id });
    expect(await read(id)).toMatchObject({ guard_activation: false });
    expect(await status()).toEqual({ status: 'active', guard_activation: false, activation: 'anyone' });
    expect(await guard(true)).toMatchObject({ guard_activation: true });
    expect(await guard(true)).toMatchObject({ guard_activation: true });
    expect(await rename(id, 'Other')).toMatchObject({ name: 'Other', guard_activation: true });
    expect(await status()).toEqual({ status: 'active', guard_activation: true, activation: 'anyone' });
    const changes = (await auditOf(world(), id))
      .filter((line) => line.action === 'organization.updated')
      .map((line) => Object.keys(line.changes));
    expect(changes.sort()).toEqual([['guard_activation'], ['name']]);
    expect(await guard(false)).toMatchObject({ guard_activation: false });
  });

  it('says who may make a version live, which a person changes and no key, and the operator alone lifts', async () => {
    const { id } = await found(world());
    const key = { type: 'api_key' as const, id: uuidv7() };
    const person = { type: 'session' as const, id: 'session', user_id: uuidv7() };
    const choose = (
      activation: ActivationPolicy,
      actor: Principal['actor'],
      environment: Principal['environment'] = 'production',
    ) =>
      run(
        updateOrganization(world()),
        { params: { id }, query: undefined, body: { activation } },
        { organizationId: id, actor, environment },
      );
    expect(await read(id)).toMatchObject({ activation: 'anyone' });
    for (const environment of ['preview', 'production'] as const) {
      await expect(choose('person', key, environment)).rejects.toMatchObject({ code: 'access_denied' });
    }
    expect(await choose('person', person)).toMatchObject({ activation: 'person' });
    for (const other of ['anyone', 'another_person'] as const) {
      await expect(choose(other, key)).rejects.toMatchObject({ code: 'access_denied' });
    }
    expect(await choose('person', key)).toMatchObject({ activation: 'person' });
    expect(await choose('another_person', person, 'preview')).toMatchObject({ activation: 'another_person' });
    expect(await runInternal(getOrganizationStatus(world()), { organization_id: id })).toMatchObject({
      activation: 'another_person',
    });
    for (const weaker of ['anyone', 'person'] as const) {
      await expect(choose(weaker, person)).rejects.toMatchObject({ code: 'access_denied' });
    }
    const operator = setOrganizationActivation(world());
    await runInternal(operator, { organization_id: id, activation: 'person' });
    expect(await choose('anyone', person)).toMatchObject({ activation: 'anyone' });
    const changes = (await auditOf(world(), id))
      .filter((line) => line.action === 'organization.updated')
      .map((line) => line.changes.activation);
    expect(changes).toHaveLength(4);
    expect(changes).toContainEqual({ from: 'anyone', to: 'person' });
  });

  it('has who may make a version live set by the operator too, with one audit entry', async () => {
    const { id } = await found(world());
    const set = (activation: ActivationPolicy) =>
      runInternal(setOrganizationActivation(world()), { organization_id: id, activation });
    expect(await set('person')).toEqual({ activation: 'person', changed: true });
    expect(await set('person')).toEqual({ activation: 'person', changed: false });
    expect(await read(id)).toMatchObject({ activation: 'person', guard_activation: false });
    const changes = (await auditOf(world(), id))
      .filter((line) => line.action === 'organization.updated')
      .map((line) => line.changes);
    expect(changes).toEqual([{ activation: { from: 'anyone', to: 'person' } }]);
    await expect(
      runInternal(setOrganizationActivation(world()), { organization_id: uuidv7(), activation: 'anyone' }),
    ).rejects.toMatchObject({ code: 'organization_not_found' });
  });

  it('is moved to another tier, whose overage and limits apply at once', async () => {
    const { id } = await found(world(), { tier: 'free' });
    const set = (tier: string) => runInternal(setOrganizationTier(world()), { organization_id: id, tier });
    expect(await set('pro')).toEqual({ tier: 'pro', changed: true });
    expect(await set('pro')).toEqual({ tier: 'pro', changed: false });
    expect(await runInternal(getTier(world()), { organization_id: id })).toMatchObject({ active_queues: 10 });
    const stored = await runInternal(getStoredLimits(world()), { organization_id: id });
    expect(stored).toEqual(defaultTiers.pro.stored);
    const [account] = await world().rows<{ overage: number }>(
      'select overage from credit_accounts where organization_id = $1',
      [id],
    );
    expect(account?.overage).toBe(10_000);
  });

  describe('after its deletion', () => {
    const doomed = async () => {
      const { id } = await found(world(), { credits: 5 });
      const member = { organization_id: id, email: `mel-${uuidv7()}@example.com`, role: 'admin' };
      const { user_id } = await runInternal(addMember(world()), { ...member, first_name: '', last_name: '' });
      const { key } = await runInternal(createKey(world()), { organization_id: id, user_id, name: 'k' });
      return { id, user_id, key };
    };

    it('refuses every principal, and asks every service once to erase its rows after a delay', async () => {
      const { id } = await doomed();
      expect(await remove(id)).toEqual({ success: true, id });
      await expect(remove(id)).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(read(id)).rejects.toMatchObject({ code: 'organization_not_found' });
      const status = await runInternal(getOrganizationStatus(world()), { organization_id: id });
      expect(status).toMatchObject({ status: 'deleted' });
      const asked = await world().rows<{ subject: string; due_at: Date; created_at: Date }>(
        "select subject, due_at, created_at from outbox where payload ->> 'organization_id' = $1 and subject like '%erase%' order by subject",
        [id],
      );
      const names = erasingServices.map((it) => jobSubjectOf(eraseOrganization[it]));
      expect(asked.map((it) => it.subject)).toEqual(names.sort());
      for (const { due_at, created_at } of asked) {
        expect(due_at.getTime() - created_at.getTime()).toBe(60_000);
      }
    });

    it('is erased here after every other service, except its anonymized ledger', async () => {
      const { id, user_id } = await doomed();
      const before = await accountOf(world(), id);
      await remove(id);
      await eraseOwnOrganizations(world())();
      expect(await show(id)).toMatchObject({ status: 'deleted', erased_at: null });
      for (const service of erasingServices) {
        for (const rows of [1, 2]) {
          await runInternal(organizationErased(world()), { organization_id: id, service, rows });
        }
      }
      await eraseOwnOrganizations(world())();
      await eraseOwnOrganizations(world())();
      const shown = await show(id);
      expect(shown).toMatchObject({ name: 'deleted', erased_at: expect.any(String) });
      expect(shown.erasures.map((it) => it.rows)).toEqual([1, 1, 1, 1]);
      expect(await accountOf(world(), id)).toEqual(before);
      const left: string[] = [];
      for (const table of await tablesWithOrganizations(world().database)) {
        const rows = await world().rows(`select from ${table} where organization_id = $1`, [id]);
        if (rows.length > 0) left.push(table);
      }
      expect(left).toEqual(['credit_accounts', 'credit_log', 'erasures']);
      const people = await world().rows('select from users where id = $1', [user_id]);
      const ledger = await world().rows(
        'select from credit_log where organization_id = $1 and (actor_id is not null or reason is not null)',
        [id],
      );
      expect([people, ledger]).toEqual([[], []]);
    });

    /** Reports every other service's erasure as complete. */
    const acknowledge = async (organization_id: string) => {
      for (const service of erasingServices) {
        await runInternal(organizationErased(world()), { organization_id, service, rows: 0 });
      }
    };

    const join = async (organization_id: string, email: string) => {
      const member = { organization_id, email, role: 'admin', first_name: '', last_name: '' };
      return (await runInternal(addMember(world()), member)).user_id;
    };

    const invite = (organizationId: string, user_id: string) =>
      run(
        inviteMember(world()),
        {
          params: { id: organizationId },
          query: undefined,
          body: { email: `${uuidv7()}@example.com`, role: 'viewer' },
        },
        { organizationId, actor: { type: 'session', id: 'mel', user_id } },
      );

    it('keeps nothing that another service records late, when its log is erased', async () => {
      const { id, user_id } = await doomed();
      const late = (): AuditEntry => ({
        organization_id: id,
        environment: 'production',
        actor: { type: 'session', id: 'mel', user_id },
        action: 'template.created',
        subject: { kind: 'template', id: uuidv7() },
        changes: {},
        request_id: uuidv7(),
        client: { address: '192.0.2.1', user_agent: 'Firefox' },
        at: world().clock.now().toISOString(),
      });
      await remove(id);
      await runJob(recordAudit(world()), late());
      expect((await auditOf(world(), id)).map(({ action }) => action)).toContain('template.created');
      await acknowledge(id);
      await eraseOwnOrganizations(world())();
      await runJob(recordAudit(world()), late());
      expect(await auditOf(world(), id)).toEqual([]);
    });

    it('takes a settlement that was answered before, and is repeated once nothing is left of it', async () => {
      const { id } = await doomed();
      const settlement = {
        organization_id: id,
        environment: 'production',
        operation_id: uuidv7(),
        items: [{ item: 0, charged: true, credit_log_id: uuidv7(), message_id: uuidv7() }],
      } as const;
      await expect(runInternal(settleReservation(world()), settlement)).rejects.toMatchObject({
        code: 'not_found',
      });
      await remove(id);
      expect(await runInternal(settleReservation(world()), settlement)).toEqual({});
    });

    it('is erased although another organization remembers one of its members, who is deleted with the last one', async () => {
      const [first, second] = [await found(world()), await found(world())];
      const email = `mel-${uuidv7()}@example.com`;
      const userId = await join(first.id, email);
      await join(second.id, email);
      await invite(second.id, userId);
      await run(deleteUser(world()), byId(userId), { organizationId: second.id });
      const known: number[] = [];
      for (const { id } of [first, second]) {
        await remove(id);
        await acknowledge(id);
        await eraseOwnOrganizations(world())();
        expect(await show(id)).toMatchObject({ erased_at: expect.any(String) });
        known.push((await world().rows('select from users where id = $1', [userId])).length);
      }
      expect(known).toEqual([1, 0]);
    });

    it('is erased although another one cannot be', async () => {
      const [stuck, other] = [await found(world()), await found(world())];
      const user = await join(stuck.id, `mel-${uuidv7()}@example.com`);
      await asOwner('organization', world().ownerUrl, async (owner) => {
        await owner.query('create table clinging (user_id uuid references users)');
        await owner.query('insert into clinging values ($1)', [user]);
        for (const { id } of [stuck, other]) {
          await remove(id);
          await acknowledge(id);
          world().clock.pass(1);
        }
        await expect(eraseOwnOrganizations(world())()).rejects.toThrow('clinging');
        expect(await show(stuck.id)).toMatchObject({ erased_at: null });
        expect(await show(other.id)).toMatchObject({ erased_at: expect.any(String) });
        await owner.query('drop table clinging');
      });
    });

    it('refuses its keys', async () => {
      const { id, key } = await doomed();
      await remove(id);
      await expect(
        runInternal(authenticateKey(world()), { key_digest: apiKeyDigest(key) }),
      ).rejects.toMatchObject({ code: 'invalid_token' });
    });
  });
});
