import type { Migration } from '@stanza/runtime';
import { AccessAndCredits1764000000000 } from './1764000000000-access-and-credits.ts';
import { ChargeAttempts1764200000012 } from './1764200000012-charge-attempts.ts';
import { AuditLog1764200000030 } from './1764200000030-audit-log.ts';
import { Invitations1764200000031 } from './1764200000031-invitations.ts';
import { CreditOperations1764200000040 } from './1764200000040-credit-operations.ts';
import { MonthlyGrants1764200000041 } from './1764200000041-monthly-grants.ts';
import { Erasure1764200000042 } from './1764200000042-erasure.ts';
import { UserIdentities1764200000060 } from './1764200000060-user-identities.ts';

/** The migrations of the schema `organization`, oldest first. */
export const migrations: readonly Migration[] = [
  AccessAndCredits1764000000000,
  ChargeAttempts1764200000012,
  AuditLog1764200000030,
  Invitations1764200000031,
  CreditOperations1764200000040,
  MonthlyGrants1764200000041,
  Erasure1764200000042,
  UserIdentities1764200000060,
];
