import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The organizations whose rows the current work may touch: ids, or `all` for work that belongs to no request, such as
 * jobs, consumers and calls that name no principal.
 */
export type Reach = 'all' | readonly string[];

const storage = new AsyncLocalStorage<Reach>();

/** Runs `work` with a reach of these organizations only, whatever its statements select. */
export const withinOrganizations = <T>(organizationIds: readonly string[], work: () => T): T =>
  storage.run(organizationIds, work);

/** Runs `work` with a reach of all organizations, for work that serves several or a not yet known one. */
export const acrossOrganizations = <T>(work: () => T): T => storage.run('all', work);

/** The reach of the current work. */
export const currentReach = (): Reach => storage.getStore() ?? 'all';

/** Names those that this code works for, where holders of a share take turns. */
export const currentHolder = (): string => {
  const reach = currentReach();
  return reach === 'all' ? reach : reach.join();
};

/** The joint reach of work that is merged into one call. */
export const jointReach = (reaches: readonly Reach[]): Reach => {
  const organizationIds = new Set<string>();
  for (const reach of reaches) {
    if (reach === 'all') return reach;
    for (const id of reach) organizationIds.add(id);
  }
  return [...organizationIds];
};

/** Runs `work` with a reach that was saved before. */
export const withReach = <T>(reach: Reach, work: () => T): T => storage.run(reach, work);

/** The setting of a transaction that carries the reach to the policies of the tables. */
export const reachSettingName = 'stanza.reach';

/** The reach as the policies of the tables read it. */
export const reachSetting = (reach: Reach): string => (reach === 'all' ? reach : reach.join(','));
