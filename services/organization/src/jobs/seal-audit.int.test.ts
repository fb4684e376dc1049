import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditEntry, limits, readAuditChain as operation, type ReplyOf } from '@stanza/contracts';
import { faultsOfSeal, type SealBefore, settledPlaceSql, statement } from '@stanza/runtime';
import { waitFor } from '@stanza/test-kit/wait';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { readAuditChain } from '../operations/read-audit-chain.ts';
import { addAuditLine } from '../store/audit-log.ts';
import { eraseAudit } from '../store/erase-audit.ts';
import { found, openWorld, runInternal, type World } from '../testing/world.ts';
import { forgetAudit } from './forget-audit.ts';
import { sealAudit } from './seal-audit.ts';

describe('the seals of the audit log', () => {
  let world: World;
  /** Whoever has the rights of the tables' owner. */
  let owner: Client;

  beforeAll(async () => {
    world = await openWorld();
    owner = new Client({ connectionString: world.ownerUrl });
    await owner.connect();
    await owner.query('set search_path = organization, public');
  });
  afterAll(async () => {
    await owner.end();
    await world.close();
  });

  const usual = { size: 1.5, name: 'Größe', nested: { b: null, a: [1] } };
  const entryOf = (organizationId: string, action: `${string}.${string}`, changes = {}): AuditEntry => ({
    organization_id: organizationId,
    environment: 'production',
    actor: { type: 'session', id: 'ada' },
    action,
    subject: { kind: 'template', id: uuidv7() },
    changes: { ...usual, ...changes },
    request_id: 'r1',
    at: world.clock.now().toISOString(),
  });
  const write = (organizationId: string, action: `${string}.${string}`, changes = {}) =>
    world.database.transaction((tx) => addAuditLine(tx, uuidv7(), entryOf(organizationId, action, changes)));

  const settle = () =>
    waitFor('the entries to be settled', async () => {
      const waiting = `select from audit_log where followed_at >= ${settledPlaceSql} limit 1`;
      return (await world.rows(waiting)).length === 0;
    });
  const seal = async () => {
    await settle();
    await sealAudit(world)();
  };

  type Chain = ReplyOf<typeof operation>;
  const chainOf = async (organizationId: string) => {
    const seals: Chain['seals'] = [];
    const faults: string[] = [];
    let before: SealBefore | undefined;
    for (;;) {
      const input = { organization_id: organizationId, after: before?.number ?? 0 };
      const page = operation.reply.parse(await runInternal(readAuditChain(world), input));
      for (const it of page.seals) {
        for (const fault of faultsOfSeal(organizationId, it, before)) faults.push(`${it.number}: ${fault}`);
        before = it;
        seals.push(it);
      }
      if (!page.has_more) return { seals, faults, unsealed: page.unsealed, is_late: page.is_late };
    }
  };
  const actionsIn = ({ seals }: { seals: Chain['seals'] }) =>
    seals.map(({ lines }) => lines.map(({ action }) => action));

  it('cover every entry once, in the order of transactions, each organization by itself', async () => {
    const [one, other] = [await found(world), await found(world)];
    await write(one.id, 'template.a');
    await seal();
    await write(one.id, 'template.b');
    await write(other.id, 'template.x');
    await write(one.id, 'template.c');
    await seal();
    await seal();
    const chain = await chainOf(one.id);
    expect(actionsIn(chain)).toEqual([
      ['organization.created', 'template.a'],
      ['template.b', 'template.c'],
    ]);
    expect(chain).toMatchObject({ faults: [], unsealed: 0 });
    expect(actionsIn(await chainOf(other.id))).toEqual([['organization.created'], ['template.x']]);
    await write(one.id, 'template.d');
    expect(await chainOf(one.id)).toMatchObject({ faults: [], unsealed: 1 });
  });

  it('The seals are read in answers that a call carries, however much their entries hold', async () => {
    const { id } = await found(world);
    const input = { organization_id: id, after: 0 };
    for (let count = 0; count < 3; count += 1) {
      await write(id, 'destination.updated', { header_names: ['x'.repeat(limits.pageBytes / 2)] });
      await seal();
    }
    const page = operation.reply.parse(await runInternal(readAuditChain(world), input));
    expect([page.seals.length, page.has_more]).toEqual([1, true]);
    const { seals, faults } = await chainOf(id);
    expect([seals.length, faults]).toEqual([3, []]);
  });

  it('are missed once they are late, as when somebody has moved the place from which they go on', async () => {
    const { id } = await found(world);
    await seal();
    await write(id, 'template.a');
    expect(await chainOf(id)).toMatchObject({ unsealed: 1, is_late: false });
    const [late] = await world.rows("select clock_timestamp() - interval '11 minutes' as at");
    await owner.query(
      "update audit_log set recorded_at = $2 where organization_id = $1 and action = 'template.a'",
      [id, Object(late).at],
    );
    expect(await chainOf(id)).toMatchObject({ unsealed: 1, is_late: true });
    const [position] = await world.rows("select recorded_at from audit_streams where name = 'seals'");
    await world.rows("update audit_streams set recorded_at = '9999-01-01' where name = 'seals'");
    await seal();
    expect(await chainOf(id)).toMatchObject({ unsealed: 1, is_late: true });
    await world.rows("update audit_streams set recorded_at = $1 where name = 'seals'", [
      Object(position).recorded_at,
    ]);
    await seal();
    expect(await chainOf(id)).toMatchObject({ faults: [], unsealed: 0, is_late: false });
  });

  it('leave what a running transaction may still come before, and take it afterwards', async () => {
    const { id } = await found(world);
    await seal();
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const early = world.database.transaction(async (tx) => {
      await addAuditLine(tx, uuidv7(), entryOf(id, 'template.early'));
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    await write(id, 'template.late');
    await sealAudit(world)();
    expect(await chainOf(id)).toMatchObject({ seals: [{ number: 1 }], unsealed: 1 });
    go.resolve();
    await early;
    await seal();
    const chain = await chainOf(id);
    expect(actionsIn(chain)).toEqual([['organization.created'], ['template.early', 'template.late']]);
    expect(chain.faults).toEqual([]);
  });

  it('are one chain, however many processes seal at once', async () => {
    const { id } = await found(world);
    for (const step of ['a', 'b', 'c']) await write(id, `template.${step}`);
    await settle();
    await Promise.all([1, 2, 3].map(() => sealAudit(world)()));
    await write(id, 'template.d');
    await settle();
    await Promise.all([1, 2, 3].map(() => sealAudit(world)()));
    const chain = await chainOf(id);
    expect(chain).toMatchObject({ faults: [], unsealed: 0 });
    expect(chain.seals.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('tell what somebody with the rights of the owner has changed, added, deleted or made anew', async () => {
    const altered: [string, RegExp][] = [
      [
        "update audit_log set changes = '{}' where organization_id = $1 and action = 'template.b'",
        /^2: .*changed/,
      ],
      ["delete from audit_log where organization_id = $1 and action = 'template.b'", /^2: has 0 of 1/],
      [
        `insert into audit_log (id, organization_id, actor_type, actor_id, action, subject_kind, subject_id, changes,
           request_id, at, followed_at)
         select gen_random_uuid(), $1, 'session', 'eve', 'template.b', 'template', 't', '{}', 'r', now(), followed_at
         from audit_log where organization_id = $1 and action = 'template.b'`,
        /^[23]: has 2 of 1/,
      ],
      ['delete from audit_seals where organization_id = $1 and number = 2', /^3: seal 2 is missing/],
      ["update audit_seals set hash = 'x' where organization_id = $1 and number = 2", /^2: its hash/],
    ];
    for (const [sql, fault] of altered) {
      const { id } = await found(world);
      for (const step of ['a', 'b', 'c'] as const) {
        await write(id, `template.${step}`);
        await seal();
      }
      expect(await chainOf(id)).toMatchObject({ faults: [], seals: { length: 3 } });
      await owner.query(sql, [id]);
      expect((await chainOf(id)).faults).toContainEqual(expect.stringMatching(fault));
    }
  });

  it.each([
    ['changes no entry', 'update audit_log set changes = changes'],
    ['deletes no entry', 'delete from audit_log'],
    ['changes no seal', 'update audit_seals set hash = hash'],
    ['deletes no seal', 'delete from audit_seals'],
    ['empties nothing', 'truncate audit_log'],
  ])("are safe from the service's role: it %s", async (_what, sql) => {
    await found(world);
    await expect(world.rows(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it("are safe from what the service's role names in a schema of its own for the time of a session", async () => {
    const { id } = await found(world);
    await seal();
    const shadow = statement(
      'test-shadow',
      `create temporary table organizations as select '${id}'::uuid as id, 'deleted' as status`,
    );
    const erase = statement('test-erase', 'select organization.erase_audit($1, 10) as erased');
    await world.database.transaction(async (tx) => {
      await tx.query(shadow);
      expect(await tx.query(erase, [id])).toEqual([{ erased: 0 }]);
      await tx.query(statement('test-shown', 'drop table pg_temp.organizations'));
    });
    expect(await chainOf(id)).toMatchObject({ faults: [], seals: [{ lines: { length: 1 } }] });
  });

  describe('stay when entries are deleted', () => {
    const aged = async (id: string, action: `${string}.${string}`, days: number) => {
      await write(id, action);
      await owner.query(
        "update audit_log set recorded_at = clock_timestamp() - $3 * interval '1 day' where organization_id = $1 and action = $2",
        [id, action, days],
      );
    };

    it('past their retention: the last of these seals is the anchor of the chain', async () => {
      const { id } = await found(world);
      await owner.query(
        "update audit_log set recorded_at = now() - interval '95 days' where organization_id = $1",
        [id],
      );
      await aged(id, 'template.older', 93);
      await aged(id, 'template.old', 91.5);
      await seal();
      await aged(id, 'template.kept', 88.5);
      await write(id, 'template.new');
      await seal();
      await forgetAudit(world, { STANZA_AUDIT_DAYS: 90 })();
      await forgetAudit(world, { STANZA_AUDIT_DAYS: 90 })();
      const chain = await chainOf(id);
      expect(chain).toMatchObject({ faults: [], unsealed: 0 });
      expect(actionsIn(chain)).toEqual([[], ['template.kept'], ['template.new']]);
      expect(chain.seals.map(({ number, forgotten_at }) => [number, forgotten_at !== null])).toEqual([
        [3, true],
        [4, false],
        [5, false],
      ]);
    });

    it('also behind many seals of erased organizations, which have none', async () => {
      const { id } = await found(world);
      await aged(id, 'template.old', 95);
      await owner.query(
        "update audit_log set recorded_at = now() - interval '95 days' where organization_id = $1",
        [id],
      );
      await seal();
      await owner.query(
        `insert into audit_seals (organization_id, number, previous_hash, line_count, end_place, end_id, lines_digest,
           hash, last_recorded_at)
         select '00000000-0000-0000-0000-000000000000', number, null, 1, at, uuidv7(), '', '', at
         from generate_series(1, 250) as number, (select now() - interval '95 days' as at) as past`,
      );
      await forgetAudit(world, { STANZA_AUDIT_DAYS: 90 })();
      expect(actionsIn(await chainOf(id))).toEqual([[]]);
    });

    it('but not younger ones than 30 days, whatever the service asks for or says of their age', async () => {
      const { id } = await found(world);
      await aged(id, 'template.young', 29);
      await seal();
      await world.rows('select forget_audit(0, 1000)');
      await owner.query("update audit_seals set last_recorded_at = '2020-01-01' where organization_id = $1", [
        id,
      ]);
      await world.rows('select forget_audit(-1000, 1000)');
      const chain = await chainOf(id);
      expect(actionsIn(chain).flat().toSorted()).toEqual(['organization.created', 'template.young']);
    });

    it('with their organization, and not before it is deleted', async () => {
      const { id } = await found(world);
      await seal();
      expect(await eraseAudit.step(world.database, id, null)).toMatchObject({ erased: 0 });
      await owner.query("update organizations set status = 'deleted' where id = $1", [id]);
      expect(await eraseAudit.step(world.database, id, null)).toMatchObject({ erased: 1 });
      expect(await eraseAudit.step(world.database, id, null)).toMatchObject({ erased: 0 });
      expect(
        await world.rows('select number from audit_seals where organization_id = $1', [id]),
      ).toHaveLength(1);
    });
  });
});
