import { organizationErased as work } from '@stanza/contracts';
import { consume } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { noteErased } from '../store/erasures.ts';

/** Records that another service has erased all its data of a deleted organization. */
export const organizationErased = ({ clock }: Pick<Dependencies, 'clock'>) =>
  consume(work, ({ organization_id, service, rows }, tx) =>
    noteErased(tx, organization_id, service, rows, clock.now()),
  );
