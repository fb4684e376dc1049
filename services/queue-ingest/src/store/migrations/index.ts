import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { EventPushes1800410000034 } from './1800410000034-event-pushes.ts';
import { LiveDigests1800430000501 } from './1800430000501-live-digests.ts';
import { LiveDueIndex1800430000502 } from './1800430000502-live-due-index.ts';
import { LiveTurnsIndex1800430000503 } from './1800430000503-live-turns-index.ts';
import { OutboxFailures1800450000204 } from './1800450000204-outbox-failures.ts';
import { ConfinedFunctions1800470000103 } from './1800470000103-confined-functions.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  EventPushes1800410000034,
  LiveDigests1800430000501,
  LiveDueIndex1800430000502,
  LiveTurnsIndex1800430000503,
  OutboxFailures1800450000204,
  ConfinedFunctions1800470000103,
];
