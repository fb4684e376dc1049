import * as contracts from '@stanza/contracts';
import { authorOf } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { findTestTargets, writeTestTargets } from '../messages/store/test-targets.ts';
import { presentTestTargets, storedTarget } from '../messages/test-targets.ts';

/** Replaces the targets of test sends; the same list again changes nothing. */
export const replaceTestTargets = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.replaceTestTargets, ({ tenant, context, principal, input: { body } }) =>
    database.transaction(async (tx) => {
      const at = clock.now();
      const targets = body.targets.map(storedTarget);
      const row = { targets, updated_by: authorOf(principal.actor), updated_at: at };
      const before = await writeTestTargets(tenant, tx, row);
      if (before) {
        await audit(tx, outbox, context, {
          action: 'test_targets.changed',
          subject: { kind: 'test_targets', id: tenant.environment },
          changes: { targets: { from: before, to: targets } },
          at,
        });
      }
      return presentTestTargets(await findTestTargets(tenant, tx));
    }),
  );
