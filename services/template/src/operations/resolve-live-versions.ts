import { resolveLiveVersions as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { liveVersion } from '../domain/live-version.ts';
import type { Parts } from '../parts.ts';
import { readLiveVersions } from '../store/live-versions.ts';

/** Tells which version of each template is live now; read from the database each time, because it must not be stale. */
export const resolveLiveVersions = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input }) => {
    const rows = await readLiveVersions(database, input.templates);
    return { versions: rows.map(liveVersion) };
  });
