import type { TestTarget } from '@stanza/contracts';
import { findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import { type TestTargetsRow, testTargets } from '../test-target-tables.ts';

const find = statement<TestTargetsRow>('test-targets-find', tenantRead(testTargets));

/** The targets of test sends of an environment; undefined where none were ever listed. */
export const findTestTargets = async (tenant: Tenant, db: Queryable): Promise<TestTargetsRow | undefined> => {
  const [row] = await db.query(find, [tenant.organizationId, tenant.environment]);
  return row;
};

// A list that is not there yet is made empty, so that two callers who each begin it wait for each other as well.
const lock = statement<{ targets: TestTarget[] | null; updated_at: Date | null }>(
  'test-targets-lock',
  `insert into test_targets (organization_id, environment, targets, updated_by, updated_at)
   values ($1, $2, '[]', $3, $4)
   on conflict (organization_id, environment) do update
   set updated_by = test_targets.updated_by
   returning old.targets, old.updated_at`,
);

/** The fields that a change of the list writes. */
export type TargetsChange = Pick<TestTargetsRow, 'targets' | 'updated_by' | 'updated_at'>;

/** Locks the list of an environment until the transaction ends; both are null where none was ever written. */
export const lockTestTargets = async (
  tenant: Tenant,
  tx: Transaction,
  { updated_by, updated_at }: TargetsChange,
): Promise<{ targets: TestTarget[] | null; updated_at: Date | null }> => {
  const values = [tenant.organizationId, tenant.environment, updated_by, updated_at];
  return (await findRow(tx, lock, values)) ?? { targets: null, updated_at: null };
};

const replace = statement<Record<string, never>>(
  'test-targets-replace',
  `update test_targets
   set targets = $3::json,
       updated_by = $4,
       updated_at = $5
   where organization_id = $1 and environment = $2`,
);

/** Replaces the targets of an environment. */
export const writeTestTargets = async (
  tenant: Tenant,
  tx: Transaction,
  { targets, updated_by, updated_at }: TargetsChange,
): Promise<void> => {
  const values = [JSON.stringify(targets), updated_by, updated_at];
  await tx.query(replace, [tenant.organizationId, tenant.environment, ...values]);
};
