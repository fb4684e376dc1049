import type { Migration } from '@stanza/runtime';
import { Messages1764100000000 } from './1764100000000-messages.ts';
import { KeyDigests1764200000011 } from './1764200000011-key-digests.ts';
import { DeferredSends1764300040000 } from './1764300040000-deferred-sends.ts';
import { Destinations1764300100001 } from './1764300100001-destinations.ts';
import { ConnectionState1764300200001 } from './1764300200001-connection-state.ts';
import { ChatInstalls1764300200002 } from './1764300200002-chat-installs.ts';
import { Turns1764300300001 } from './1764300300001-turns.ts';
import { Interactions1764300400001 } from './1764300400001-interactions.ts';
import { ScheduledMessages1764300500001 } from './1764300500001-scheduled-messages.ts';
import { Traces1764300600001 } from './1764300600001-traces.ts';
import { InteractionTraces1764300600002 } from './1764300600002-interaction-traces.ts';
import { Fences1800040000001 } from './1800040000001-fences.ts';
import { Keys1800080000002 } from './1800080000002-keys.ts';
import { DeliveryTurns1800110000001 } from './1800110000001-delivery-turns.ts';
import { Autovacuum1800140000001 } from './1800140000001-autovacuum.ts';
import { EventDeliveries1800150000001 } from './1800150000001-event-deliveries.ts';
import { EventOrder1800150000002 } from './1800150000002-event-order.ts';
import { Events1800150000003 } from './1800150000003-events.ts';
import { EventOrigin1800150000004 } from './1800150000004-event-origin.ts';
import { TestMessages1800150000010 } from './1800150000010-test-messages.ts';
import { TestTargets1800150000011 } from './1800150000011-test-targets.ts';
import { OnUnknown1800150000021 } from './1800150000021-on-unknown.ts';
import { MessageChanges1800180000001 } from './1800180000001-message-changes.ts';
import { DueSends1800220000001 } from './1800220000001-due-sends.ts';
import { ActionTurns1800220000002 } from './1800220000002-action-turns.ts';
import { LookupTurns1800230000001 } from './1800230000001-lookup-turns.ts';
import { MessageStates1800340000001 } from './1800340000001-message-states.ts';
import { OlderMessageStates1800340000002 } from './1800340000002-older-message-states.ts';
import { MessagesInPlace1800340000003 } from './1800340000003-messages-in-place.ts';
import { KeyedOperations1800350000001 } from './1800350000001-keyed-operations.ts';
import { FewerMessageIndexes1800350000002 } from './1800350000002-fewer-message-indexes.ts';
import { InboxVacuum1800360000002 } from './1800360000002-inbox-vacuum.ts';
import { RunTurns1800360000102 } from './1800360000102-run-turns.ts';
import { DeliveryOrganizations1800360000103 } from './1800360000103-delivery-organizations.ts';
import { ScheduledDataBytes1800370000001 } from './1800370000001-scheduled-data-bytes.ts';
import { ScheduledDataBytesIndex1800370000002 } from './1800370000002-scheduled-data-bytes-index.ts';

/** The migrations of the schema `delivery`, oldest first. */
export const migrations: readonly Migration[] = [
  Messages1764100000000,
  KeyDigests1764200000011,
  DeferredSends1764300040000,
  Destinations1764300100001,
  ConnectionState1764300200001,
  ChatInstalls1764300200002,
  Turns1764300300001,
  Interactions1764300400001,
  ScheduledMessages1764300500001,
  Traces1764300600001,
  InteractionTraces1764300600002,
  Fences1800040000001,
  Keys1800080000002,
  DeliveryTurns1800110000001,
  Autovacuum1800140000001,
  EventDeliveries1800150000001,
  EventOrder1800150000002,
  Events1800150000003,
  EventOrigin1800150000004,
  TestMessages1800150000010,
  TestTargets1800150000011,
  OnUnknown1800150000021,
  MessageChanges1800180000001,
  DueSends1800220000001,
  ActionTurns1800220000002,
  LookupTurns1800230000001,
  MessageStates1800340000001,
  OlderMessageStates1800340000002,
  MessagesInPlace1800340000003,
  KeyedOperations1800350000001,
  FewerMessageIndexes1800350000002,
  InboxVacuum1800360000002,
  RunTurns1800360000102,
  DeliveryOrganizations1800360000103,
  ScheduledDataBytes1800370000001,
  ScheduledDataBytesIndex1800370000002,
];
