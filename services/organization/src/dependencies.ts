import type { ServiceContext } from '@stanza/runtime';
import type { ConfirmationWindow } from './domain/confirmation-window.ts';
import type { KeyHashes } from './domain/key-hash.ts';
import type { Tiers } from './domain/tiers.ts';
import type { Uses } from './domain/uses.ts';
import type { Mailer } from './mail.ts';

/** The dependencies of operations and jobs; each names the ones that it uses. */
export interface Dependencies
  extends Pick<
    ServiceContext<unknown>,
    'database' | 'reports' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics'
  > {
  tiers: Tiers;
  keyHashes: KeyHashes;
  /** By the id of the key. */
  keyUse: Uses;
  /** By the id of the user. */
  sessionUse: Uses;
  confirmationWindow: ConfirmationWindow;
  /** Milliseconds from the deletion of an organization to its erasure, so that work in flight can end. */
  erasureDelayMs: number;
  mailer: Mailer;
  /** The lifetime of invitations, and the page that accepts them. */
  invitations: { days: number; page: string | undefined };
}

/** The dependencies of an operation that changes who has access, and notifies every gateway. */
export type AccessDependencies = Pick<Dependencies, 'database' | 'clock' | 'outbox'>;
