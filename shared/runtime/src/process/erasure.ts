import { CodedError, type ErasingService, eraseOrganization, organizationErased } from '@stanza/contracts';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { type ErasableTable, type ErasureStep, erasableTables, eraseStep } from '../database/erasure-walk.ts';
import { isForeignKeyViolation } from '../database/faults.ts';
import { statement } from '../database/statement.ts';
import { type Handler, handle } from '../rpc/handler.ts';
import type { ServiceContext } from './service-context.ts';

export {
  type ErasableTable,
  type ErasureStep,
  erasableTables,
  tablesWithOrganizations,
} from '../database/erasure-walk.ts';

/** Milliseconds for which one call, or one run of a job, erases before it yields. */
const sliceMs = 5_000;

const deadLetters = statement<{ erased: number }>(
  'erase-dead-letters',
  `with erased as (
     delete from dead_letters
     where position($1 in payload) > 0
     returning 1
   )
   select count(*) as erased
   from erased`,
);

/** Deletes the dead letters that name an organization. */
const eraseLetters = async (db: Queryable, organizationId: string): Promise<ErasureStep> => {
  const [letters] = await db.query(deadLetters, [organizationId]);
  return { matching: 0, erased: letters?.erased ?? 0, last: null };
};

/** A row of the outbox that nothing runs: other processes continue the erasure, and its count. */
const addErased = statement<Record<string, never>>(
  'erasure-count',
  `insert into outbox (id, kind, subject, payload, due_at)
   values ($1, 'work', 'erased-rows', json_build_object('rows', $2::integer), 'infinity')
   on conflict (id) do update
   set payload = json_build_object('rows', (outbox.payload ->> 'rows')::integer + $2::integer)`,
);

const takeErased = statement<{ rows: number }>(
  'erasure-counted',
  `delete from outbox
   where id = $1
   returning (payload ->> 'rows')::integer as rows`,
);

/** Tables with a walk of their own, such as a table without an index by organization. */
export interface ErasureBefore {
  /** Erased only by these steps. */
  tables: readonly string[];
  /** Erases a bounded number of rows after the last key of the step before, in a transaction of its own. */
  step: (tx: Queryable, organizationId: string, after: string[] | null) => Promise<ErasureStep>;
}

/** Options of {@link eraseRows}. */
export interface ErasureOptions {
  /** Tables that are not erased. */
  except?: readonly string[];
  /** Erased first, each by its own step. */
  before?: readonly ErasureBefore[];
  /** True when it is time to stop; erased rows stay erased. */
  isOver?: () => boolean;
  /** Called in each transaction that erased rows. */
  note?: (tx: Transaction, rows: number) => Promise<void>;
}

/** The time slice is over; thrown and caught in this file only. */
class SliceOver extends Error {
  override readonly name = 'SliceOver';
}

class Erasure {
  readonly #database: Database;
  readonly #organizationId: string;
  readonly #options: ErasureOptions;
  #hasErased = false;

  constructor(database: Database, organizationId: string, options: ErasureOptions) {
    this.#database = database;
    this.#organizationId = organizationId;
    this.#options = options;
  }

  /** Repeats the walk until it finds nothing: a walk misses rows that change in the meantime. */
  async walk(next: ErasureBefore['step']): Promise<void> {
    let matching = 0;
    let after: string[] | null = null;
    do {
      if (after === null) matching = 0;
      const step = await this.#take(next, after);
      matching += step.matching;
      after = step.last;
    } while (after !== null || matching > 0);
  }

  /** False while rows of other tables refer to the remaining rows. */
  async triesTable(table: ErasableTable): Promise<boolean> {
    try {
      await this.walk((...step) => eraseStep(table, ...step));
      return true;
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      return false;
    }
  }

  async #take(next: ErasureBefore['step'], after: string[] | null): Promise<ErasureStep> {
    const { note, isOver } = this.#options;
    const step = await this.#database.transaction(async (tx) => {
      const taken = await next(tx, this.#organizationId, after);
      if (taken.erased > 0) await note?.(tx, taken.erased);
      return taken;
    });
    this.#hasErased ||= step.erased > 0;
    // A call that has found no row yet continues; otherwise a table full of other organizations' rows would be
    // restarted for ever.
    if (this.#hasErased && isOver?.()) throw new SliceOver();
    return step;
  }
}

const eraseAll = async (
  erasure: Erasure,
  tables: ErasableTable[],
  options: ErasureOptions,
): Promise<void> => {
  for (const { step } of options.before ?? []) await erasure.walk(step);
  let left = tables;
  while (left.length > 0) {
    const stuck: ErasableTable[] = [];
    for (const table of left) if (!(await erasure.triesTable(table))) stuck.push(table);
    if (stuck.length === left.length) {
      throw new Error(`rows of ${stuck.map(({ name }) => name).join(', ')} refer to each other`);
    }
    left = stuck;
  }
  await erasure.walk(eraseLetters);
};

/**
 * Erases all rows of an organization from the service's schema, in short statements that are safe to repeat. Referring
 * tables come before the tables they refer to; the order is found by trying.
 * @returns whether all are erased; the next call continues
 */
export const eraseRows = async (
  database: Database,
  organizationId: string,
  options: ErasureOptions = {},
): Promise<boolean> => {
  const { except = [], before = [] } = options;
  const others = [...except, ...before.flatMap(({ tables }) => tables)];
  const tables = (await erasableTables(database)).filter(({ name }) => !others.includes(name));
  try {
    await eraseAll(new Erasure(database, organizationId, options), tables, options);
    return true;
  } catch (error) {
    if (error instanceof SliceOver) return false;
    throw error;
  }
};

/** Starts a time slice; the function returns true once it is over. */
export const sliceOfErasure = (): (() => boolean) => {
  const endsAt = performance.now() + sliceMs;
  return () => performance.now() >= endsAt;
};

/**
 * The handler that erases the rows of a deleted organization and reports the end. A big organization takes many calls:
 * each erases for a time slice, in short transactions only, and asks to be repeated soon.
 */
export const eraseOrganizations = (
  service: ErasingService,
  { database, outbox, log }: Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'log'>,
  options: Pick<ErasureOptions, 'before'> & { slice?: () => () => boolean } = {},
): Handler<(typeof eraseOrganization)[ErasingService]> => {
  const { slice = sliceOfErasure, before = [] } = options;
  return handle(eraseOrganization[service], async ({ input: { organization_id } }) => {
    const note = async (tx: Transaction, rows: number): Promise<void> => {
      await tx.query(addErased, [organization_id, rows]);
    };
    if (!(await eraseRows(database, organization_id, { before, isOver: slice(), note }))) {
      const message = 'Rows were erased, and there are more.';
      throw new CodedError('service_unavailable', { message, retry_after: 1 });
    }
    const count = await database.transaction(async (tx) => {
      const [{ rows } = { rows: 0 }] = await tx.query(takeErased, [organization_id]);
      await outbox.add(tx, organizationErased, { organization_id, service, rows });
      return rows;
    });
    log.info({ organization_id, count }, 'the rows of an organization were erased');
    return {};
  });
};
