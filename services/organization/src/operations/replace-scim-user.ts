import { replaceScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { activeOf } from '../domain/scim.ts';
import type { Parts } from '../parts.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member, by their whole resource. */
export const replaceScimUser = (parts: Pick<Parts, 'database' | 'clock' | 'outbox'>) =>
  handle(operation, async (call) => provision(parts, call, activeOf(call.input.body)));
