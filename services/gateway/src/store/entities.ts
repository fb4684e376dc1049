import { entityOf } from '@stanza/runtime';
import type { EntitySchema } from 'typeorm';
import {
  consoleAssets,
  consoleSessions,
  idempotencyRecords,
  maintenance,
  rateCounters,
  spentSignIns,
  unconfirmedAnswers,
} from './tables.ts';

/** All entities of the service. */
export const entities: readonly EntitySchema[] = [
  entityOf(consoleAssets),
  entityOf(consoleSessions),
  entityOf(idempotencyRecords),
  entityOf(unconfirmedAnswers),
  entityOf(rateCounters),
  entityOf(maintenance),
  entityOf(spentSignIns),
];
