import { patchScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { activeAfter } from '../domain/scim.ts';
import type { Parts } from '../parts.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member, by what changes. */
export const patchScimUser = (parts: Pick<Parts, 'database' | 'clock' | 'outbox'>) =>
  handle(operation, async (call) => provision(parts, call, activeAfter(call.input.body)));
