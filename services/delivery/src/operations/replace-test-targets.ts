import { isDeepStrictEqual } from 'node:util';
import * as contracts from '@stanza/contracts';
import { authorOf, CodedError } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { findTestTargets, lockTestTargets, writeTestTargets } from '../messages/store/test-targets.ts';
import { presentTestTargets, storedTarget } from '../messages/test-targets.ts';

const changedMeanwhile = (at: Date | null): CodedError =>
  new CodedError('changed_meanwhile', {
    message: 'The targets have changed since they were read, and nothing was saved. Read them again.',
    ...(at && { details: at.toISOString() }),
  });

/** Replaces the targets of test sends; the same list again changes nothing. */
export const replaceTestTargets = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.replaceTestTargets, ({ tenant, context, principal, input: { body } }) =>
    database.transaction(async (tx) => {
      const at = clock.now();
      const targets = body.targets.map(storedTarget);
      const row = { targets, updated_by: authorOf(principal.actor), updated_at: at };
      const { targets: before, updated_at: from } = await lockTestTargets(tenant, tx, row);
      const { expected_updated_at: expected } = body;
      if (expected !== undefined && expected !== (from?.toISOString() ?? null)) throw changedMeanwhile(from);
      if (!isDeepStrictEqual(before, targets)) {
        await writeTestTargets(tenant, tx, row);
        await audit(tx, outbox, context, {
          action: 'test_targets.changed',
          subject: { kind: 'test_targets', id: tenant.environment },
          changes: { targets: { from: before ?? [], to: targets } },
          at,
        });
      }
      return presentTestTargets(await findTestTargets(tenant, tx));
    }),
  );
