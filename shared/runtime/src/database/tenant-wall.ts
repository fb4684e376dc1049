import { escapeLiteral } from 'pg';
import { reachSettingName } from './reach.ts';

const reach = `(select coalesce(current_setting('${reachSettingName}', true), ''))`;

/**
 * SQL of the second wall between organizations, behind the conditions of each statement: row-level security on each
 * table with an `organization_id`, and on the table of organizations. Safe to repeat; new tables are added. The owner
 * of the tables is exempt, which migrations need.
 *
 * A session that never sets its reach belongs to the previous release and sees all rows; the next release shows it
 * none.
 */
export const tenantWallSql = (schema: string): string => `
  do $wall$
  declare tenant_table record;
  begin
    for tenant_table in
      select relation.oid::regclass as name, attribute.attname as organization
      from pg_attribute as attribute
      join pg_class as relation on relation.oid = attribute.attrelid
      where relation.relnamespace = ${escapeLiteral(schema)}::regnamespace
        and relation.relkind in ('r', 'p')
        and not relation.relrowsecurity
        and attribute.attname = case relation.relname when 'organizations' then 'id' else 'organization_id' end
        and not attribute.attisdropped
    loop
      execute format('alter table %s enable row level security', tenant_table.name);
      execute format($policy$
        create policy tenant on %s using (
          ${reach} in ('', 'all')
          or %I = any ((select string_to_array(nullif(${reach}, 'all'), ','))::uuid[])
        )
      $policy$, tenant_table.name, tenant_table.organization);
    end loop;
  end $wall$;
`;
