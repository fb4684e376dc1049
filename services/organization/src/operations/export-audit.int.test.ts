import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditEntry, limits, exportAuditLog as operation, readLogPlace } from '@stanza/contracts';
import { type Database, settledPlaceSql } from '@stanza/runtime';
import { waitFor } from '@stanza/test-kit/wait';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { appendLines } from '../append-lines.ts';
import { streamAudit } from '../jobs/stream-audit.ts';
import { addAuditLine } from '../store/audit-log.ts';
import { linesAfter } from '../store/audit-stream.ts';
import { found, openWorld, rowsAsOwner, run, runInternal, type World } from '../testing/world.ts';
import { exportAudit } from './export-audit.ts';
import { exportAuditLog } from './export-audit-log.ts';

const line = z.looseObject({ id: z.string(), organization_id: z.string(), action: z.string() });

describe('the export of the audit log', () => {
  let world: World;
  let directory: string;

  beforeAll(async () => {
    world = await openWorld();
    directory = await mkdtemp(join(tmpdir(), 'stanza-audit-'));
  });
  afterAll(async () => {
    await world.close();
    await rm(directory, { recursive: true });
  });

  const entryOf = (organizationId: string, action: `${string}.${string}`, changes = {}): AuditEntry => ({
    organization_id: organizationId,
    environment: 'production',
    actor: { type: 'session', id: 'ada' },
    action,
    subject: { kind: 'template', id: uuidv7() },
    changes,
    request_id: 'r1',
    client: { address: '192.0.2.1', user_agent: null },
    at: world.clock.now().toISOString(),
  });
  const asOwner = (text: string, values: unknown[]) => rowsAsOwner(world, text, values);
  const write = (organizationId: string, action: `${string}.${string}`, changes = {}) =>
    world.database.transaction((tx) => addAuditLine(tx, uuidv7(), entryOf(organizationId, action, changes)));

  /** Waits until no transaction runs any more that began before the entries were written, one of another test included. */
  const settle = () =>
    waitFor('the entries to be settled', async () => {
      const waiting = `select from audit_log where followed_at >= ${settledPlaceSql} limit 1`;
      return (await world.rows(waiting)).length === 0;
    });

  const ask = async (
    organizationId: string,
    query: { cursor?: string; count?: number; from?: string } = {},
  ) =>
    operation.reply.parse(
      await run(
        exportAuditLog(world),
        { params: undefined, query: { count: 1_000, ...query }, body: undefined },
        { organizationId },
      ),
    );
  const cursorOf = ({ next_cursor }: { next_cursor: string | null }) =>
    next_cursor === null ? {} : { cursor: next_cursor };

  it('is read page by page to its end and continues with later entries, each once', async () => {
    const { id } = await found(world);
    for (const step of ['a', 'b', 'c']) await write(id, `template.step_${step}`);
    await settle();
    const first = await ask(id, { count: 3 });
    expect(first.data.map(({ action }) => action)).toHaveLength(3);
    expect(first.has_more).toBe(true);
    const second = await ask(id, { count: 3, ...cursorOf(first) });
    expect(second).toMatchObject({ data: [expect.anything()], has_more: false });
    const actions = [...first.data, ...second.data].map(({ action }) => action);
    expect(actions.toSorted()).toEqual([
      'organization.created',
      'template.step_a',
      'template.step_b',
      'template.step_c',
    ]);
    expect(await ask(id, cursorOf(second))).toEqual({
      data: [],
      next_cursor: second.next_cursor,
      has_more: false,
    });
    await write(id, 'template.step_d');
    await settle();
    expect((await ask(id, cursorOf(second))).data).toMatchObject([
      { action: 'template.step_d', client: { address: '192.0.2.1', user_agent: null } },
    ]);
  });

  it('The export ends an answer before it has more than a call carries, and the next one continues', async () => {
    const { id } = await found(world);
    const changes = { header_names: ['x'.repeat(limits.pageBytes / 3)] };
    for (let count = 0; count < 4; count += 1) await write(id, 'destination.updated', changes);
    await settle();
    const first = await ask(id);
    // The organization itself was made, too.
    expect([first.data.length, first.has_more]).toEqual([3, true]);
    const second = await ask(id, cursorOf(first));
    expect([second.data.length, second.has_more]).toEqual([2, false]);
  });

  it('misses no entry of a transaction that began earlier and ends later', async () => {
    const { id } = await found(world);
    await settle();
    const start = await ask(id);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const early = world.database.transaction(async (tx) => {
      await addAuditLine(tx, uuidv7(), entryOf(id, 'template.early'));
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    await write(id, 'template.late');
    expect((await ask(id, cursorOf(start))).data).toEqual([]);
    go.resolve();
    await early;
    await settle();
    expect((await ask(id, cursorOf(start))).data.map(({ action }) => action)).toEqual([
      'template.early',
      'template.late',
    ]);
  });

  it('misses no entry that a clock which was set back places before one that was read', async () => {
    const { id } = await found(world);
    await settle();
    const start = await ask(id);
    await write(id, 'template.set_back');
    await asOwner(
      "update audit_log set recorded_at = recorded_at - interval '1 minute' where organization_id = $1 and action = $2",
      [id, 'template.set_back'],
    );
    await settle();
    expect((await ask(id, cursorOf(start))).data).toMatchObject([{ action: 'template.set_back' }]);
  });

  it('follows entries of a version before by their moment, and begins after them', async () => {
    const { id } = await found(world);
    await write(id, 'template.older');
    await asOwner('update audit_log set followed_at = null where organization_id = $1', [id]);
    const older = await ask(id);
    expect(older.data.map(({ action }) => action)).toEqual(['organization.created', 'template.older']);
    await write(id, 'template.newer');
    await settle();
    expect((await ask(id, cursorOf(older))).data).toMatchObject([{ action: 'template.newer' }]);
  });

  it('places entries after all before them on a server whose transactions are counted anew', async () => {
    const { id } = await found(world);
    await settle();
    const before = await ask(id);
    // What a restore leaves: a row of another server, whose numbers were higher.
    await world.rows(
      "update commit_order set server_started_at = server_started_at - interval '1 day', shift = shift + 5000000",
    );
    await write(id, 'template.restored');
    await settle();
    const after = await ask(id, cursorOf(before));
    expect(after.data).toMatchObject([{ action: 'template.restored' }]);
    expect(readLogPlace(String(after.next_cursor)).at.getTime()).toBeGreaterThan(
      readLogPlace(String(before.next_cursor)).at.getTime() + 5_000_000,
    );
  });

  it('misses no entry of a transaction that ends while a page is read', async () => {
    const { id } = await found(world);
    await settle();
    const start = await ask(id);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const early = world.database.transaction(async (tx) => {
      await addAuditLine(tx, uuidv7(), entryOf(id, 'template.ends_early'));
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    await write(id, 'template.ends_late');
    const place = readLogPlace(String(start.next_cursor));
    let isEnded = false;
    /** Ends the transaction after the first statement of the page. */
    const query: Database['query'] = async (asked, values) => {
      const rows = await world.database.query(asked, values);
      if (!isEnded) {
        isEnded = true;
        go.resolve();
        await early;
      }
      return rows;
    };
    const after = { place: place.at, id: place.id };
    expect(await linesAfter({ query }, { organizationId: id, after, limit: 10 })).toEqual([]);
    await settle();
    expect((await ask(id, cursorOf(start))).data.map(({ action }) => action)).toEqual([
      'template.ends_early',
      'template.ends_late',
    ]);
  });

  it('is filtered by time, shows no entries of another organization, and is the same for an operator', async () => {
    const [one, other] = [await found(world), await found(world)];
    await write(one.id, 'template.mine');
    await settle();
    expect((await ask(one.id, { from: '2026-12-01T00:00:00Z' })).data).toEqual([]);
    expect((await ask(other.id)).data.map(({ action }) => action)).toEqual(['organization.created']);
    expect(await runInternal(exportAudit(world), { organization_id: one.id })).toEqual(await ask(one.id));
    await expect(runInternal(exportAudit(world), { organization_id: uuidv7() })).rejects.toMatchObject({
      code: 'organization_not_found',
    });
  });

  describe('as a file', () => {
    const linesOf = async (path: string) =>
      (await readFile(path, 'utf8'))
        .split('\n')
        .filter((text) => text !== '')
        .flatMap((text) => {
          try {
            return [line.parse(JSON.parse(text))];
          } catch {
            // The incomplete line of a writer that was terminated.
            return [];
          }
        });
    const rewind = () => world.rows('delete from audit_streams');

    it('has every entry of every organization once, however often and wherever the job runs', async () => {
      await rewind();
      const organizations = [await found(world), await found(world)];
      const path = join(directory, 'all.ndjson');
      await settle();
      await Promise.all([1, 2, 3].map(() => streamAudit(world, path)()));
      await streamAudit(world, path)();
      const lines = await linesOf(path);
      for (const { id } of organizations) {
        expect(lines.filter((it) => it.organization_id === id)).toMatchObject([
          { action: 'organization.created', client: null },
        ]);
      }
      expect(new Set(lines.map((it) => it.id)).size).toBe(lines.length);
    });

    it('continues at its position, and starts a new line after an incomplete one', async () => {
      await rewind();
      const { id } = await found(world);
      await settle();
      const path = join(directory, 'broken.ndjson');
      await streamAudit(world, path)();
      await write(id, 'template.next');
      await settle();
      await appendFile(path, '{"id":"hal');
      await streamAudit(world, path)();
      const mine = (await linesOf(path)).filter((it) => it.organization_id === id);
      expect(mine.map(({ action }) => action)).toEqual(['organization.created', 'template.next']);
    });

    it('holds no transaction open during a slow write, and takes over the stream of a lost process', async () => {
      await rewind();
      const { id } = await found(world);
      await settle();
      const path = join(directory, 'slow.ndjson');
      const [begun, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = streamAudit(world, path, async (...given) => {
        begun.resolve();
        await ready.promise;
        await appendLines(...given);
      })();
      await begun.promise;
      const open = await world.rows(
        "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      );
      expect(open).toEqual([]);
      // Another process leaves the stream alone while the lease lasts, and takes it over afterwards.
      const other = join(directory, 'other.ndjson');
      await streamAudit(world, other)();
      await expect(readFile(other)).rejects.toThrow('ENOENT');
      await world.rows("update audit_streams set leased_until = clock_timestamp() - interval '1 second'");
      await streamAudit(world, other)();
      expect((await linesOf(other)).some((it) => it.organization_id === id)).toBe(true);
      await write(id, 'template.next');
      await settle();
      await streamAudit(world, other)();
      const position = await world.rows('select * from audit_streams');
      ready.resolve();
      await slow;
      expect((await linesOf(path)).some((it) => it.organization_id === id)).toBe(true);
      // The slow process lost its lease, so the position stays.
      expect(await world.rows('select * from audit_streams')).toEqual(position);
    });

    it('makes progress with a target that is slower than the lease', async () => {
      await rewind();
      await found(world);
      await settle();
      const path = join(directory, 'slower.ndjson');
      await streamAudit(world, path, async (...given) => {
        await world.rows("update audit_streams set leased_until = clock_timestamp() - interval '1 second'");
        await appendLines(...given);
      })();
      const written = await linesOf(path);
      await streamAudit(world, path)();
      expect(await linesOf(path)).toEqual(written);
    });

    it('keeps its position when the file cannot be written', async () => {
      await rewind();
      const { id } = await found(world);
      await settle();
      await expect(streamAudit(world, join(directory, 'none', 'x.ndjson'))()).rejects.toThrow('ENOENT');
      const path = join(directory, 'again.ndjson');
      await streamAudit(world, path)();
      expect((await linesOf(path)).filter((it) => it.organization_id === id)).toHaveLength(1);
    });
  });
});
