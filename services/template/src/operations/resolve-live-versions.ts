import { resolveLiveVersions as operation } from '@stanza/contracts';
import { handle, withinOrganizations } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { liveVersion } from '../domain/live-version.ts';
import { readLiveVersions } from '../store/live-versions.ts';

/** Returns the live version of each template; read from the database each time, because it must not be stale. */
export const resolveLiveVersions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => {
    const owners = [...new Set(input.templates.map((it) => it.organization_id))];
    const rows = await withinOrganizations(owners, () => readLiveVersions(database, input.templates));
    return { versions: rows.map(liveVersion) };
  });
