import { describe, expect, it } from '@jest/globals';
import { Tenant } from '@stanza/runtime';
import { asOwner, somebody } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newTemplate, openWorld } from '../testing/world.ts';
import { readLiveVersions } from './live-versions.ts';

/** Postgres plans a statement again this often before it considers one plan for all values. */
const plannedAnew = 5;
/** Enough that one plan for all values looks dearer than one for a single template. */
const templates = 200;

describe('the look at live versions', () => {
  const world = sharedByTests(() => openWorld());

  it('is planned once on a database that is analyzed, and not for each call', async () => {
    const principal = somebody();
    const { id } = await newTemplate(world(), principal);
    await world().rows(
      `insert into templates
       select (jsonb_populate_record(template, jsonb_build_object('id', gen_random_uuid(),
         'operation_id', gen_random_uuid()))).*
       from templates as template, generate_series(1, $2::integer)
       where id = $1`,
      [id, templates],
    );
    await asOwner('template', world().ownerUrl, (owner) => owner.query('analyze templates'));
    const { organizationId, environment } = Tenant.of(principal);
    const asked = [{ organization_id: organizationId, environment, template_id: id }];
    const plans = await world().database.transaction(async (tx) => {
      for (let call = 0; call < 4 * plannedAnew; call++) await readLiveVersions(tx, asked);
      return tx.orm.query<{ custom_plans: string }[]>(
        "select custom_plans from pg_prepared_statements where name = 'live-versions'",
      );
    });
    expect(plans.map((it) => Number(it.custom_plans))).toEqual([plannedAnew]);
  });
});
