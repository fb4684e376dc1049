import type { Migration } from '@stanza/runtime';
import { RuntimeTables1795219300000 } from './1795219300000-runtime-tables.ts';
import { Queues1795219400000 } from './1795219400000-queues.ts';
import { Traces1795219500000 } from './1795219500000-traces.ts';
import { Partitions1800030000001 } from './1800030000001-partitions.ts';
import { BatchTemplates1800030000002 } from './1800030000002-batch-templates.ts';
import { BatchDestinations1800030000003 } from './1800030000003-batch-destinations.ts';
import { SpentPartitions1800030000004 } from './1800030000004-spent-partitions.ts';
import { Keys1800080000003 } from './1800080000003-keys.ts';
import { Autovacuum1800140000003 } from './1800140000003-autovacuum.ts';
import { OnUnknown1800150000020 } from './1800150000020-on-unknown.ts';
import { Reposts1800150000022 } from './1800150000022-reposts.ts';
import { ClosingTurns1800360000001 } from './1800360000001-closing-turns.ts';
import { InboxVacuum1800360000003 } from './1800360000003-inbox-vacuum.ts';
import { LeftOut1800380000201 } from './1800380000201-left-out.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [
  RuntimeTables1795219300000,
  Queues1795219400000,
  Traces1795219500000,
  Partitions1800030000001,
  BatchTemplates1800030000002,
  BatchDestinations1800030000003,
  SpentPartitions1800030000004,
  Keys1800080000003,
  Autovacuum1800140000003,
  OnUnknown1800150000020,
  Reposts1800150000022,
  ClosingTurns1800360000001,
  InboxVacuum1800360000003,
  LeftOut1800380000201,
];
