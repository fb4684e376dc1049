import type { Environment } from '@stanza/contracts';
import { type Queryable, statement } from '@stanza/runtime';
import type { LiveVersionRow } from '../domain/tables.ts';

/** A template named by a caller, with the tenant to which it must belong. */
export interface TemplateName {
  organization_id: string;
  environment: Environment;
  template_id: string;
  /** The moment of the live version; now by default. */
  live_at?: string | undefined;
  /** The version in place of the live one. */
  version_id?: string | undefined;
}

// The lists are sub-selects, so that Postgres takes no notice of their length when it plans: it would otherwise plan the
// statement for each call, which took six times as long as to run it.
const liveVersions = statement<LiveVersionRow>(
  'live-versions',
  `select
     template.name,
     template.user_name,
     template.icon_emoji,
     template.fallback_text,
     template.locale,
     template.timezone,
     template.strict,
     template.archived_at is not null as archived,
     case
       when asked.version_id is not null then named.id
       when asked.live_at is null then template.current_version_id
       else past.version_id end as current_version_id,
     case
       when asked.version_id is not null then named.version_number
       when asked.live_at is null then template.current_version_number
       else past.version_number end as current_version_number
   from unnest((select $1::uuid[]), (select $2::text[]), (select $3::uuid[]), (select $4::timestamptz[]),
     (select $5::uuid[]))
     with ordinality
     as asked (organization_id, environment, template_id, live_at, version_id, place)
   left join templates as template
     on template.organization_id = asked.organization_id
     and template.environment = asked.environment
     and template.id = asked.template_id
     and template.kind = 'template'
   left join lateral (
     select version_id, version_number
     from activations
     where asked.live_at is not null
       and activations.organization_id = asked.organization_id
       and activations.environment = asked.environment
       and activations.template_id = asked.template_id
       and activations.created_at <= asked.live_at
     order by activation_number desc
     limit 1
   ) as past on true
   left join lateral (
     select id, version_number
     from versions
     where asked.version_id is not null
       and versions.organization_id = asked.organization_id
       and versions.environment = asked.environment
       and versions.id = asked.version_id
       and versions.template_id = asked.template_id
     limit 1
   ) as named on true
   order by asked.place`,
);

/**
 * Reads the live versions of templates of any number of tenants, one row for each in the given order. One statement, so
 * a batch costs about as much as one template.
 */
export const readLiveVersions = (db: Queryable, asked: readonly TemplateName[]): Promise<LiveVersionRow[]> =>
  db.query(liveVersions, [
    asked.map((it) => it.organization_id),
    asked.map((it) => it.environment),
    asked.map((it) => it.template_id),
    asked.map((it) => it.live_at ?? null),
    asked.map((it) => it.version_id ?? null),
  ]);
