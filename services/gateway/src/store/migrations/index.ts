import type { Migration } from '@stanza/runtime';
import { Idempotency1764200000010 } from './1764200000010-idempotency.ts';
import { Rates1764200000020 } from './1764200000020-rates.ts';
import { Maintenance1764200000021 } from './1764200000021-maintenance.ts';
import { ConsoleSessions1795900000010 } from './1795900000010-console-sessions.ts';
import { ConsoleAssets1800320000010 } from './1800320000010-console-assets.ts';
import { InboxVacuum1800360000005 } from './1800360000005-inbox-vacuum.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [
  Idempotency1764200000010,
  Rates1764200000020,
  Maintenance1764200000021,
  ConsoleSessions1795900000010,
  ConsoleAssets1800320000010,
  InboxVacuum1800360000005,
];
