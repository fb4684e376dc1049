import { listModals as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentListedModal } from '../domain/present-modal.ts';
import { pageOfModals } from '../store/modals.ts';

/** Lists the modals of the caller's organization and environment. */
export const listModals = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { items, total } = await pageOfModals(tenant, database, query);
    const { offset, limit } = query;
    return { data: items.map(presentListedModal), pagination: { offset, limit, total } };
  });
