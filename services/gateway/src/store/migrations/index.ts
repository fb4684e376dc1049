import type { Migration } from '@stanza/runtime';
import { Idempotency1764200000010 } from './1764200000010-idempotency.ts';
import { Rates1764200000020 } from './1764200000020-rates.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [Idempotency1764200000010, Rates1764200000020];
