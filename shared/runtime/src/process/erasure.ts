import { CodedError, type ErasingService, eraseOrganization, organizationErased } from '@stanza/contracts';
import type { Database, Queryable } from '../database/database.ts';
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

/** Deletes the dead letters that name an organization. @returns how many */
const eraseLetters = async (db: Queryable, organizationId: string): Promise<number> => {
  const [letters] = await db.query(deadLetters, [organizationId]);
  return letters?.erased ?? 0;
};

/** Tables with a walk of their own, such as a table without an index by organization. */
export interface ErasureBefore {
  /** Erased only by these steps. */
  tables: readonly string[];
  /** Erases a bounded number of rows after the last key of the step before. */
  step: (database: Database, organizationId: string, after: string[] | null) => Promise<ErasureStep>;
}

/** Options of {@link eraseRows}. */
export interface ErasureOptions {
  /** Tables that are not erased. */
  except?: readonly string[];
  /** Erased first, each by its own step. */
  before?: readonly ErasureBefore[];
  /** True when it is time to stop; erased rows stay erased. */
  isOver?: () => boolean;
}

/** Progress of an erasure. */
export interface Erased {
  rows: number;
  isDone: boolean;
}

/** The time slice is over; thrown and caught in this file only. */
class SliceOver extends Error {
  override readonly name = 'SliceOver';
}

class Erasure {
  rows = 0;
  readonly #database: Database;
  readonly #organizationId: string;
  readonly #isOver: () => boolean;

  constructor(database: Database, organizationId: string, isOver: () => boolean) {
    this.#database = database;
    this.#organizationId = organizationId;
    this.#isOver = isOver;
  }

  /** Repeats the walk until it finds nothing: a walk misses rows that change in the meantime. */
  async walk(next: ErasureBefore['step']): Promise<void> {
    let matching = 0;
    let after: string[] | null = null;
    do {
      if (after === null) matching = 0;
      const step: ErasureStep = await next(this.#database, this.#organizationId, after);
      this.#count(step.erased);
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

  async letters(): Promise<void> {
    this.rows += await eraseLetters(this.#database, this.#organizationId);
  }

  #count(erased: number): void {
    this.rows += erased;
    // A call that has found no row yet continues; otherwise a table full of other organizations' rows would be
    // restarted for ever.
    if (this.rows > 0 && this.#isOver()) throw new SliceOver();
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
  await erasure.letters();
};

/**
 * Erases all rows of an organization from the service's schema, in short statements that are safe to repeat. Referring
 * tables come before the tables they refer to; the order is found by trying.
 */
export const eraseRows = async (
  database: Database,
  organizationId: string,
  options: ErasureOptions = {},
): Promise<Erased> => {
  const { except = [], before = [], isOver = () => false } = options;
  const others = [...except, ...before.flatMap(({ tables }) => tables)];
  const tables = (await erasableTables(database)).filter(({ name }) => !others.includes(name));
  const erasure = new Erasure(database, organizationId, isOver);
  try {
    await eraseAll(erasure, tables, options);
    return { rows: erasure.rows, isDone: true };
  } catch (error) {
    if (error instanceof SliceOver) return { rows: erasure.rows, isDone: false };
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
  /** Rows that this process has erased of organizations in progress. */
  const soFar = new Map<string, number>();
  const { slice = sliceOfErasure, before = [] } = options;
  return handle(eraseOrganization[service], async ({ input: { organization_id } }) => {
    const { rows, isDone } = await eraseRows(database, organization_id, { before, isOver: slice() });
    const all = (soFar.get(organization_id) ?? 0) + rows;
    soFar.set(organization_id, all);
    if (!isDone) {
      const message = `${all} rows were erased, and there are more`;
      throw new CodedError('service_unavailable', { message, retry_after: 1 });
    }
    await database.transaction((tx) =>
      outbox.add(tx, organizationErased, { organization_id, service, rows: all }),
    );
    soFar.delete(organization_id);
    log.info({ organization_id, count: all }, 'the rows of an organization were erased');
    return {};
  });
};
