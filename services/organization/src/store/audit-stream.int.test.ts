import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOwner } from '@stanza/test-kit/service-world';
import { found, openWorld, type World } from '../testing/world.ts';
import { readPosition } from './audit-stream.ts';

describe('the position of a stream of the audit log', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    const { id } = await found(world);
    await world.rows(
      `insert into audit_log
         (id, organization_id, actor_type, actor_id, action, subject_kind, subject_id, changes, request_id, at)
       select uuidv7(), $1, 'session', 'ada', 'template.a', 'template', number::text, '{}', 'r1', now()
       from generate_series(1, 20000) as number`,
      [id],
    );
    await world.rows(
      `insert into audit_streams (name, recorded_at, line_id)
       select 'seals', coalesce(followed_at, recorded_at), id
       from audit_log
       order by 2 desc, 3 desc
       limit 1
       on conflict (name) do update set recorded_at = excluded.recorded_at, line_id = excluded.line_id`,
    );
    await asOwner('organization', world.ownerUrl, (owner) => owner.query('vacuum analyze audit_log'));
  });
  afterAll(() => world.close());

  it('A stream without a later entry is found at its end by a look at the last entry alone', async () => {
    const rows = await world.rows<{ 'QUERY PLAN': string }>(
      `explain ${readPosition.text.replace('$1', "'seals'")}`,
    );
    const plan = rows.map((it) => it['QUERY PLAN']).join('\n');
    expect(plan).toContain('using audit_log_streamed');
    expect(plan).not.toContain('Seq Scan on audit_log');
  });
});
