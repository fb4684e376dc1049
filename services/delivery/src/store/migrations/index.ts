import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { FollowedMessages1800400002001 } from './1800400002001-followed-messages.ts';
import { FollowedMessagesIndex1800400002002 } from './1800400002002-followed-messages-index.ts';
import { DeletingDestinations1800400002003 } from './1800400002003-deleting-destinations.ts';
import { LivingMessages1800410000310 } from './1800410000310-living-messages.ts';
import { LivingMessagesChecked1800410000311 } from './1800410000311-living-messages-checked.ts';
import { MessageChangesIndex1800410000312 } from './1800410000312-message-changes-index.ts';
import { MessagesOfKeyIndex1800410000313 } from './1800410000313-messages-of-key-index.ts';
import { MessageKeys1800410000314 } from './1800410000314-message-keys.ts';
import { PausedSchedules1800430000519 } from './1800430000519-paused-schedules.ts';
import { PausedSchedulesChecked1800430000520 } from './1800430000520-paused-schedules-checked.ts';
import { KeptSchedulesIndex1800430000521 } from './1800430000521-kept-schedules-index.ts';
import { RequestedRunsIndex1800430000522 } from './1800430000522-requested-runs-index.ts';
import { WorkspaceAddress1800450000100 } from './1800450000100-workspace-address.ts';
import { OutboxFailures1800450000201 } from './1800450000201-outbox-failures.ts';
import { MessageStateKeyIndex1800460000100 } from './1800460000100-message-state-key-index.ts';
import { MessageStateKey1800460000101 } from './1800460000101-message-state-key.ts';
import { QuickCommitMoment1800460000102 } from './1800460000102-quick-commit-moment.ts';
import { KeptMessageKeys1800460000104 } from './1800460000104-kept-message-keys.ts';
import { ConfinedFunctions1800470000101 } from './1800470000101-confined-functions.ts';
import { StatesInOnePlace1800480000101 } from './1800480000101-states-in-one-place.ts';
import { ReplacedContent1800500000318 } from './1800500000318-replaced-content.ts';
import { UndeliveredIndex1800500000495 } from './1800500000495-undelivered-index.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  FollowedMessages1800400002001,
  FollowedMessagesIndex1800400002002,
  DeletingDestinations1800400002003,
  LivingMessages1800410000310,
  LivingMessagesChecked1800410000311,
  MessageChangesIndex1800410000312,
  MessagesOfKeyIndex1800410000313,
  MessageKeys1800410000314,
  PausedSchedules1800430000519,
  PausedSchedulesChecked1800430000520,
  KeptSchedulesIndex1800430000521,
  RequestedRunsIndex1800430000522,
  WorkspaceAddress1800450000100,
  OutboxFailures1800450000201,
  MessageStateKeyIndex1800460000100,
  MessageStateKey1800460000101,
  QuickCommitMoment1800460000102,
  KeptMessageKeys1800460000104,
  ConfinedFunctions1800470000101,
  StatesInOnePlace1800480000101,
  ReplacedContent1800500000318,
  UndeliveredIndex1800500000495,
];
