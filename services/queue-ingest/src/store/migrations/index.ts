import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { EventPushes1800410000034 } from './1800410000034-event-pushes.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [Baseline1800390000000, EventPushes1800410000034];
