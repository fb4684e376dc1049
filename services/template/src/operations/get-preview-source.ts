import { getPreviewSource as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { requestedOrNewestVersion, requestedVersion } from '../store/requested-version.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Reads the source of a version's preview. Archived templates are allowed. */
export const getPreviewSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) =>
    atOneMoment(database, async (tx) => {
      const tenant = new Tenant(input.organization_id, input.environment);
      const { template, version } = await (input.newest
        ? requestedOrNewestVersion(tenant, tx, input)
        : requestedVersion(tenant, tx, input));
      const {
        name: template_name,
        fallback_text,
        locale,
        timezone,
        strict,
        user_name,
        icon_emoji,
      } = template;
      const { id: version_id, version_number, sample_data } = version;
      const defaults = { fallback_text, locale, timezone, strict };
      const is_archived = template.archived_at !== null;
      const appearance = { user_name, icon_emoji, is_archived };
      return { template_name, version_id, version_number, sample_data, ...defaults, ...appearance };
    }),
  );
