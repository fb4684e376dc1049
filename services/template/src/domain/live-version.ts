import type { ReplyOf, resolveLiveVersions } from '@stanza/contracts';
import { appearanceOf } from './appearance.ts';
import type { LiveVersionRow } from './tables.ts';

/** The answer about a template's live version. */
export type LiveVersion = ReplyOf<typeof resolveLiveVersions>['versions'][number];

/** Decides the version with which a template compiles now: its live version, or the reason why it has none. */
export const liveVersion = (row: LiveVersionRow): LiveVersion => {
  if (row.name === null) return { found: false, code: 'template_not_found' };
  if (row.archived) return { found: false, code: 'invalid_state' };
  if (row.current_version_id === null || row.current_version_number === null) {
    return { found: false, code: 'version_not_found' };
  }
  return {
    found: true,
    template_name: row.name,
    version_id: row.current_version_id,
    version_number: row.current_version_number,
    ...appearanceOf(row),
  };
};
