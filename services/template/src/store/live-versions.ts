import type { Environment } from '@stanza/contracts';
import { type Queryable, statement } from '@stanza/runtime';
import type { LiveVersionRow } from '../domain/rows.ts';

/** A template as a caller names it, with the tenant to which it must belong. */
export interface TemplateName {
  organization_id: string;
  environment: Environment;
  template_id: string;
}

const liveVersions = statement<LiveVersionRow>(
  'live-versions',
  `select
     template.name,
     template.user_name,
     template.icon_emoji,
     template.fallback_text,
     template.archived_at is not null as archived,
     template.current_version_id,
     template.current_version_number
   from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality
     as asked (organization_id, environment, template_id, place)
   left join templates as template
     on template.organization_id = asked.organization_id
     and template.environment = asked.environment
     and template.id = asked.template_id
   order by asked.place`,
);

/**
 * Reads the live versions of templates of any number of tenants, one row for each in the order asked. One statement,
 * so a batch costs about as much as one template does.
 */
export const readLiveVersions = (db: Queryable, asked: readonly TemplateName[]): Promise<LiveVersionRow[]> =>
  db.query(liveVersions, [
    asked.map((it) => it.organization_id),
    asked.map((it) => it.environment),
    asked.map((it) => it.template_id),
  ]);
