import type { TestTarget } from '@stanza/contracts';
import { check, json, type RowOf, table, tenant, text, timestamp } from '@stanza/runtime/table';

/** Where test sends of an environment may go besides to their callers. */
export const testTargets = table('test_targets', {
  columns: {
    ...tenant,
    targets: json<TestTarget[]>(),
    /** The user who changed it last, or else the key. */
    updated_by: text(),
    updated_at: timestamp(),
  },
  primaryKey: { name: 'test_targets_pk', columns: ['organization_id', 'environment'] },
  checks: [check('test_targets_environment', "environment in ('production', 'preview')")],
});

/** A row of {@link testTargets}. */
export type TestTargetsRow = RowOf<typeof testTargets>;
