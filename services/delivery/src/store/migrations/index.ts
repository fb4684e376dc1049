import type { Migration } from '@stanza/runtime';
import { Baseline1800390000000 } from './1800390000000-baseline.ts';
import { FollowedMessages1800400002001 } from './1800400002001-followed-messages.ts';
import { FollowedMessagesIndex1800400002002 } from './1800400002002-followed-messages-index.ts';
import { DeletingDestinations1800400002003 } from './1800400002003-deleting-destinations.ts';

/** The migrations of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  Baseline1800390000000,
  FollowedMessages1800400002001,
  FollowedMessagesIndex1800400002002,
  DeletingDestinations1800400002003,
];
