import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findTestTargets } from '../messages/store/test-targets.ts';
import { presentTestTargets } from '../messages/test-targets.ts';

/** Shows where test sends of the caller's environment may go besides to themselves. */
export const getTestTargets = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.getTestTargets, async ({ tenant }) =>
    presentTestTargets(await findTestTargets(tenant, database)),
  );
