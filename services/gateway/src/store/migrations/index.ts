import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { SpentSignIns1800400003000 } from './1800400003000-spent-sign-ins.ts';
import { OutboxFailures1800450000202 } from './1800450000202-outbox-failures.ts';
import { SessionIssuers1800490000041 } from './1800490000041-session-issuers.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  SpentSignIns1800400003000,
  OutboxFailures1800450000202,
  SessionIssuers1800490000041,
];
