import type { ServiceContext } from '@stanza/runtime';
import type { KeyHashes } from './domain/key-hash.ts';
import type { Patience } from './domain/patience.ts';
import type { Tiers } from './domain/tiers.ts';
import type { Uses } from './domain/uses.ts';
import type { Mailer } from './mail.ts';

/** What operations, consumers and jobs are made from; each names the parts that it takes. */
export interface Dependencies
  extends Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics'> {
  tiers: Tiers;
  keyHashes: KeyHashes;
  /** By the id of the key. */
  keyUse: Uses;
  /** By the id of the user. */
  sessionUse: Uses;
  patience: Patience;
  /** Milliseconds from the deletion of an organization to its erasure, for what is under way. */
  erasureDelayMs: number;
  mailer: Mailer;
  /** How long invitations wait, and the page that accepts them. */
  invitations: { days: number; page: string | undefined };
}
