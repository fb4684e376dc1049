import { notFound, getDelivery as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { attemptsOf, findDelivery } from '../destinations/store/deliveries.ts';

/** Reads a delivery with its payload. */
export const getDelivery = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    const row = await findDelivery(tenant, database, params.id, params.delivery_id);
    if (!row) throw notFound('delivery');
    const attempts = await attemptsOf(tenant, database, [row.id]);
    return { ...presentDelivery(row, attempts), payload: row.payload };
  });
