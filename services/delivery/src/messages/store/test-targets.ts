import type { TestTarget } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import { type TestTargetsRow, testTargets } from '../test-target-tables.ts';

const find = statement<TestTargetsRow>('test-targets-find', tenantRead(testTargets));

/** The targets of test sends of an environment; undefined where none were ever listed. */
export const findTestTargets = async (tenant: Tenant, db: Queryable): Promise<TestTargetsRow | undefined> => {
  const [row] = await db.query(find, [tenant.organizationId, tenant.environment]);
  return row;
};

const replace = statement<{ before: TestTarget[] | null }>(
  'test-targets-replace',
  `insert into test_targets (organization_id, environment, targets, updated_by, updated_at)
   values ($1, $2, $3::json, $4, $5)
   on conflict (organization_id, environment) do update
   set targets = excluded.targets,
       updated_by = excluded.updated_by,
       updated_at = excluded.updated_at
   where test_targets.targets::text <> excluded.targets::text
   returning old.targets as before`,
);

/**
 * Replaces the targets of an environment.
 * @returns the targets before, none of the first time; undefined where they are the same
 */
export const writeTestTargets = async (
  tenant: Tenant,
  tx: Transaction,
  { targets, updated_by, updated_at }: Pick<TestTargetsRow, 'targets' | 'updated_by' | 'updated_at'>,
): Promise<readonly TestTarget[] | undefined> => {
  const values = [JSON.stringify(targets), updated_by, updated_at];
  const [row] = await tx.query(replace, [tenant.organizationId, tenant.environment, ...values]);
  return row && (row.before ?? []);
};
