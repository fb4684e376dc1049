import { notFound, getDelivery as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { attemptsOf, findDelivery } from '../destinations/store/deliveries.ts';
import { requirePayloadReading } from '../events/redirection.ts';

/** Reads a delivery with its payload, for callers who may read elsewhere what it carries. */
export const getDelivery = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, principal, input: { params } }) => {
    const row = await findDelivery(tenant, database, params.id, params.delivery_id);
    if (!row) throw notFound('delivery');
    requirePayloadReading(principal, row.origin);
    const attempts = await attemptsOf(tenant, database, [row.id]);
    return { ...presentDelivery(row, attempts, true), payload: row.payload };
  });
