import { resolveKey as operation } from '@stanza/contracts';
import { handle, type Keys, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { entityKeys, modalKeys, templateKeys } from '../store/keys.ts';

const keysOf = { template: templateKeys, entity: entityKeys, modal: modalKeys } satisfies Record<
  string,
  Keys
>;

/** Finds what a key names, for services that keep its id. */
export const resolveKey = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, kind, key } }) => {
    const tenant = new Tenant(organization_id, environment);
    return { id: (await keysOf[kind].idOf(tenant, database, key)) ?? null };
  });
