import type { Migration } from '@stanza/runtime';
import { AccessAndCredits1764000000000 } from './1764000000000-access-and-credits.ts';
import { ChargeAttempts1764200000012 } from './1764200000012-charge-attempts.ts';
import { AuditLog1764200000030 } from './1764200000030-audit-log.ts';
import { Invitations1764200000031 } from './1764200000031-invitations.ts';
import { CreditOperations1764200000040 } from './1764200000040-credit-operations.ts';
import { MonthlyGrants1764200000041 } from './1764200000041-monthly-grants.ts';
import { Erasure1764200000042 } from './1764200000042-erasure.ts';
import { UserIdentities1764200000060 } from './1764200000060-user-identities.ts';
import { KeyParents1800010000001 } from './1800010000001-key-parents.ts';
import { KeyChildren1800010000002 } from './1800010000002-key-children.ts';
import { PreviewLedger1800010000003 } from './1800010000003-preview-ledger.ts';
import { TracesOfPeople1800050000001 } from './1800050000001-traces-of-people.ts';
import { AuditLogRecorded1800050000002 } from './1800050000002-audit-log-recorded.ts';
import { AuditStream1800050000003 } from './1800050000003-audit-stream.ts';
import { AuditLogArrival1800050000004 } from './1800050000004-audit-log-arrival.ts';
import { KeyAddresses1800050000005 } from './1800050000005-key-addresses.ts';
import { DeactivatedMembers1800050000006 } from './1800050000006-deactivated-members.ts';
import { GuardActivation1800090100002 } from './1800090100002-guard-activation.ts';
import { Autovacuum1800140000002 } from './1800140000002-autovacuum.ts';
import { LowCredits1800150000003 } from './1800150000003-low-credits.ts';
import { ActivationPolicy1800190000001 } from './1800190000001-activation-policy.ts';
import { SettlementsVacuum1800360000001 } from './1800360000001-settlements-vacuum.ts';
import { ReservationTurns1800360000101 } from './1800360000101-reservation-turns.ts';

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
  KeyParents1800010000001,
  KeyChildren1800010000002,
  PreviewLedger1800010000003,
  TracesOfPeople1800050000001,
  AuditLogRecorded1800050000002,
  AuditStream1800050000003,
  AuditLogArrival1800050000004,
  KeyAddresses1800050000005,
  DeactivatedMembers1800050000006,
  GuardActivation1800090100002,
  Autovacuum1800140000002,
  LowCredits1800150000003,
  ActivationPolicy1800190000001,
  SettlementsVacuum1800360000001,
  ReservationTurns1800360000101,
];
