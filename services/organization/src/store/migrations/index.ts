import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { AuditClient1800400001020 } from './1800400001020-audit-client.ts';
import { FollowedAudit1800400002101 } from './1800400002101-followed-audit.ts';
import { FollowedAuditIndex1800400002102 } from './1800400002102-followed-audit-index.ts';
import { StreamedAuditIndex1800400002103 } from './1800400002103-streamed-audit-index.ts';
import { AuditName1800410000331 } from './1800410000331-audit-name.ts';
import { AuditSeals1800410000332 } from './1800410000332-audit-seals.ts';
import { AuditOperation1800420000771 } from './1800420000771-audit-operation.ts';
import { ExternalIds1800420000772 } from './1800420000772-external-ids.ts';
import { ClaimableUsers1800440000128 } from './1800440000128-claimable-users.ts';
import { OutboxFailures1800450000203 } from './1800450000203-outbox-failures.ts';
import { QuickCommitMoment1800460000103 } from './1800460000103-quick-commit-moment.ts';
import { ConfinedFunctions1800470000102 } from './1800470000102-confined-functions.ts';
import { NamedUsers1800470000104 } from './1800470000104-named-users.ts';
import { InvitingKey1800500000317 } from './1800500000317-inviting-key.ts';
import { ForgottenSeals1800500000560 } from './1800500000560-forgotten-seals.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  AuditClient1800400001020,
  FollowedAudit1800400002101,
  FollowedAuditIndex1800400002102,
  StreamedAuditIndex1800400002103,
  AuditName1800410000331,
  AuditSeals1800410000332,
  AuditOperation1800420000771,
  ExternalIds1800420000772,
  ClaimableUsers1800440000128,
  OutboxFailures1800450000203,
  QuickCommitMoment1800460000103,
  ConfinedFunctions1800470000102,
  NamedUsers1800470000104,
  InvitingKey1800500000317,
  ForgottenSeals1800500000560,
];
