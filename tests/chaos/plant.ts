import type pg from 'pg';
import type { Edit } from './edits.ts';
import type { Drawn } from './schedule.ts';

/** A bug. */
export interface Plant {
  /** The invariant, by its number, that has to notice it: another one that happens to break proves nothing. */
  noticedBy: number;
  /** Puts it into the database, as though the code had it. */
  sql?: string;
  /** Puts it into a copy of the program. */
  edits?: readonly Edit[];
  /** Faults without which it does not show; each at its `afterMs`. */
  faults?: readonly Drawn[];
}

/** Name of a bug that can be planted. */
export type PlantName = (typeof plantNames)[number];

/** Names of all of them. */
export const plantNames = [
  'drop-outbox-row',
  'skip-unique-index',
  'settle-twice',
  'batch-time-of-replica',
  'send-without-fence',
  'sweep-by-own-clock',
  'lost-answer-final',
] as const;

/**
 * Bugs put into the database of a run, or into its own copy of the program, to see that the invariants notice. The
 * program itself has no switch for any of them.
 */
export const plants: Readonly<Record<PlantName, Plant>> = {
  'drop-outbox-row': {
    noticedBy: 1,
    sql: `
    create function queue_ingest.plant() returns trigger language plpgsql as $plant$
    begin
      -- Every third batch, and again whenever it is published anew.
      if abs(hashtext(new.payload ->> 'batch_id')) % 3 = 0 then return null; end if;
      return new;
    end $plant$;
    create trigger plant before insert on queue_ingest.outbox
      for each row execute function queue_ingest.plant();`,
  },
  'skip-unique-index': {
    noticedBy: 2,
    sql: `
    create function gateway.plant() returns trigger language plpgsql as $plant$
    begin
      -- No two keys are ever the same.
      new.key := new.key || new.operation_id;
      return new;
    end $plant$;
    create trigger plant before insert on gateway.idempotency_records
      for each row execute function gateway.plant();`,
  },
  'settle-twice': {
    noticedBy: 4,
    sql: `
    create function organization.plant() returns trigger language plpgsql security definer as $plant$
    begin
      insert into organization.credit_log (id, organization_id, kind, amount, operation_id, item, environment,
        operation, template_id, message_id, actor_id)
      values (gen_random_uuid(), new.organization_id, 'charge', new.amount, new.operation_id, new.item + 1000,
        new.environment, new.operation, new.template_id, new.message_id, new.actor_id);
      update organization.credit_accounts set balance = balance + new.amount
      where organization_id = new.organization_id;
      return null;
    end $plant$;
    create trigger plant after insert on organization.credit_log
      for each row when (new.kind = 'charge' and new.operation <> 'compile' and new.item < 1000)
      execute function organization.plant();`,
  },
  /** A batch opens at the time of the replica that opens it, and its events are looked for from then on. */
  'batch-time-of-replica': {
    noticedBy: 1,
    edits: [
      {
        file: 'services/queue-ingest/src/answer-pushes.ts',
        find: 'const { day, at, events } = await',
        replace: 'const at = new Date(), { day, events } = await',
      },
      {
        file: 'services/queue-ingest/src/store/write-pushes.ts',
        find: 'greatest($2::timestamptz, ($31::timestamptz[])[place]), event',
        replace: 'coalesce($2::timestamptz, ($31::timestamptz[])[place]), event',
      },
      {
        file: 'services/queue-ingest/src/store/events.ts',
        find: `const since = "received_at >= $4::timestamptz - interval '1 day'"`,
        replace: `const since = 'received_at >= $4::timestamptz'`,
      },
    ],
    faults: [
      {
        harm: { kind: 'clock', mode: 'off by 2 s', process: 'queue-ingest', offsetMs: 2_000 },
        lastsMs: 15_000,
      },
    ],
  },
  /** A sender whose lease has ended goes on as though it still had it. */
  'send-without-fence': {
    noticedBy: 2,
    edits: [
      {
        file: 'services/delivery/src/messages/store/deferred-sends.ts',
        find: "and operation_id = $3 and tries = $4 and status = 'waiting'\n   returning operation_id",
        replace:
          "and operation_id = $3 and $4::integer > 0 and status = 'waiting'\n   returning operation_id",
      },
      {
        file: 'services/delivery/src/messages/store/messages.ts',
        find: "and fence = $5\n     and (status = 'accepted' or (status = 'posting' and posting_fence = $5))",
        replace: "and $5::integer > 0\n     and status in ('accepted', 'posting')",
      },
    ],
    faults: [
      // Channels that have to rest keep accepted messages waiting in the sender that is frozen next.
      { harm: { kind: 'platform', mode: 'rate_limited', value: 12, times: 60 }, lastsMs: 0, afterMs: 5_000 },
      // The second sender takes over what the first one held, and is frozen in the middle of its posts.
      { harm: { kind: 'long freeze', process: 'delivery' }, lastsMs: 34_000, afterMs: 14_000 },
      { harm: { kind: 'platform', mode: 'latency', value: 9_500, times: 300 }, lastsMs: 0, afterMs: 39_000 },
      { harm: { kind: 'long freeze', process: 'delivery-2' }, lastsMs: 30_000, afterMs: 46_000 },
    ],
  },
  /** What a sender has left is ended when its time is up by the clock of the replica that looks. */
  'sweep-by-own-clock': {
    noticedBy: 4,
    edits: [
      {
        file: 'services/delivery/src/messages/store/abandoned-messages.ts',
        find: 'const { code, ...facts } = options.failed;',
        replace:
          'const { code, ...facts } = options.failed; const graceMs = 5_000 - (Date.now() - performance.timeOrigin - performance.now());',
      },
      {
        file: 'services/delivery/src/messages/store/abandoned-messages.ts',
        find: '  afterMs: graceMs,',
        replace: '  afterMs: -60_000,',
      },
    ],
    faults: [
      {
        harm: { kind: 'clock', mode: 'off by 60 s', process: 'delivery', offsetMs: 60_000 },
        lastsMs: 20_000,
      },
      { harm: { kind: 'platform', mode: 'latency', value: 3_000, times: 60 }, lastsMs: 0 },
    ],
  },
  /** The error of a push whose answer was lost is kept as its answer. */
  'lost-answer-final': {
    noticedBy: 7,
    edits: [
      {
        file: 'services/gateway/src/idempotency/blocked-requests.ts',
        find: "  'queue-ingest': reportQueueOperation,\n",
        replace: '',
      },
    ],
    // What reaches a frozen process is answered late by its gateway, and pushed all the same.
    faults: [
      { harm: { kind: 'long freeze', process: 'queue-ingest' }, lastsMs: 25_000, afterMs: 2_000 },
      { harm: { kind: 'long freeze', process: 'queue-ingest-2' }, lastsMs: 25_000, afterMs: 28_000 },
    ],
  },
};

/** Puts that part of a bug in which is in the database. */
export const plantInDatabase = async (database: pg.Pool, { sql }: Plant): Promise<void> => {
  if (sql !== undefined) await database.query(sql);
};
