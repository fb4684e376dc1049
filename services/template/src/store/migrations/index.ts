import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { SettingsAuthors1800400001010 } from './1800400001010-settings-authors.ts';
import { Partials1800410000207 } from './1800410000207-partials.ts';
import { OutboxFailures1800450000205 } from './1800450000205-outbox-failures.ts';
import { ConfinedFunctions1800470000100 } from './1800470000100-confined-functions.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  SettingsAuthors1800400001010,
  Partials1800410000207,
  OutboxFailures1800450000205,
  ConfinedFunctions1800470000100,
];
