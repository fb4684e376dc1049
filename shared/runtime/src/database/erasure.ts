import { type ErasingService, eraseOrganization, organizationErased } from '@stanza/contracts';
import type { ServiceContext } from '../process/service-context.ts';
import { consume, UnfinishedWork, type WorkConsumer } from '../streams/consume.ts';
import type { Database, Queryable } from './database.ts';
import { type ErasableTable, type ErasureStep, erasableTables, eraseStep } from './erasure-walk.ts';
import { isForeignKeyViolation } from './faults.ts';
import { statement } from './statement.ts';

export {
  type ErasableTable,
  type ErasureStep,
  erasableTables,
  tablesWithOrganizations,
} from './erasure-walk.ts';

/** Milliseconds for which one delivery of the work, or one run of a job, erases before it makes way for others. */
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

/** Tables with a walk of their own, as one that no index by organization leads through. */
export interface ErasureBefore {
  /** Erased by these steps alone. */
  tables: readonly string[];
  /** Erases a bounded number of rows, beginning after the key at which the step before ended. */
  step: (database: Database, organizationId: string, after: string[] | null) => Promise<ErasureStep>;
}

/** What is erased, and for how long. */
export interface ErasureOptions {
  /** Tables that are left as they are. */
  except?: readonly string[];
  /** Leaves the dead letters, for a caller that erases them in the transaction which says that all is done. */
  keepsLetters?: boolean;
  /** Erased first, each by its own step. */
  before?: readonly ErasureBefore[];
  /** True when it is time to stop; what was erased until then stays so. */
  isOver?: () => boolean;
}

/** How far an erasure came. */
export interface Erased {
  rows: number;
  isDone: boolean;
}

/** Time is up; thrown and caught here alone. */
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

  /** Walks until a walk finds nothing: a row that is changed meanwhile is missed by the one under way. */
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

  /** False when rows of others still refer to what is left. */
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
    // A call that has found nothing yet goes on, or a table full of others' rows would be begun anew for ever.
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
  if (!options.keepsLetters) await erasure.letters();
};

/**
 * Erases all rows of an organization from the service's schema, in statements that are short each and may be repeated at
 * will. Tables whose rows are referred to come after those that refer to them, which is found out by trying.
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

/** True once a slice of time that begins now is over. */
export const sliceOfErasure = (): (() => boolean) => {
  const endsAt = performance.now() + sliceMs;
  return () => performance.now() >= endsAt;
};

/**
 * Does what a service does when an organization was deleted: erases its rows and says so. A big organization takes many
 * deliveries of the work, each of which erases for a while with no transaction open beside its short ones.
 */
export const eraseOrganizations = (
  service: ErasingService,
  { database, outbox, log }: Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'log'>,
  options: Pick<ErasureOptions, 'before'> & { slice?: () => () => boolean } = {},
): WorkConsumer => {
  /** Rows that this process has erased of organizations that are not done yet. */
  const soFar = new Map<string, number>();
  const { slice = sliceOfErasure, before = [] } = options;
  return consume(
    eraseOrganization[service],
    async ({ organization_id }, tx) => {
      // Beside what says so: the letter of this very work is among them when it is replayed.
      const rows = (soFar.get(organization_id) ?? 0) + (await eraseLetters(tx, organization_id));
      await outbox.add(tx, organizationErased, { organization_id, service, rows });
      tx.afterCommit(() => {
        soFar.delete(organization_id);
        log.info({ organization_id, count: rows }, 'an organization was erased');
      });
    },
    {
      concurrency: 1,
      prepare: async ({ organization_id }) => {
        const { rows, isDone } = await eraseRows(database, organization_id, {
          keepsLetters: true,
          before,
          isOver: slice(),
        });
        const all = (soFar.get(organization_id) ?? 0) + rows;
        soFar.set(organization_id, all);
        if (!isDone) throw new UnfinishedWork(`${all} rows were erased, and there are more`);
      },
    },
  );
};
