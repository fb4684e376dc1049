import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOwner } from '@stanza/test-kit/service-world';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../testing/world.ts';

describe('the schema', () => {
  let world: World;
  /** An organization with one destination of the same id, which most deliveries have reached. */
  const busy = uuidv7();
  beforeAll(async () => {
    world = await openWorld();
    await world.rows(
      `insert into messages
         (organization_id, environment, id, operation_id, item, template_id, version_id, version_number, channel_id,
          workspace_id, status, credit_log_id, charged, remaining_credits, warnings, fields_truncated, attempts,
          request_id, actor_id, deadline_at, created_at, updated_at)
       select organization.id, 'production', gen_random_uuid(), gen_random_uuid(), 0, gen_random_uuid(),
         gen_random_uuid(), 1, 'C1', 'T1', 'sent', gen_random_uuid(), true, 1, '[]', 0, '[]', 'request', 'actor',
         now(), now(), now()
       from (select gen_random_uuid() as id from generate_series(1, 40)) as organization,
         generate_series(1, 100)`,
    );
    await world.rows(
      `insert into chat_connections
         (organization_id, environment, id, workspace_id, workspace_name, bot_user_id, token_ciphertext, token_key_id,
          created_at, updated_at)
       select gen_random_uuid(), 'production', gen_random_uuid(), 'T1', 'one', 'U1', '', 'k1', now(), now()
       from generate_series(1, 2000)`,
    );
    await world.rows(
      `insert into scheduled_messages
         (organization_id, environment, id, operation_id, status, template_id, data, channel_id, cron, catch_up,
          next_run_at, created_by, created_at, updated_at)
       select gen_random_uuid(), 'production', gen_random_uuid(), gen_random_uuid(), 'active', gen_random_uuid(), '{}',
         'C1', '@daily', false, now() + minute * interval '1 minute', 'somebody', now(), now()
       from generate_series(1, 4000) as minute`,
    );
    await world.rows(
      `insert into scheduled_runs
         (organization_id, environment, scheduled_message_id, due_at, operation_id, status, started_at, ended_at)
       select organization_id, environment, id, now(), gen_random_uuid(), 'sent', now(), now()
       from scheduled_messages`,
    );
    await world.rows(
      `insert into interactions
         (organization_id, environment, id, dedupe_key, kind, workspace_id, user_id, message_id, template_id, channel,
          message_ts, form, kept, rest, request_id, created_at)
       select gen_random_uuid(), 'production', gen_random_uuid(), number::text, 'block_actions', 'T1', 'U1',
         gen_random_uuid(), gen_random_uuid(), 'C1', '1.1', '{}', '{}', '[]', 'request', now()
       from generate_series(1, 4000) as number`,
    );
    await world.rows(
      `insert into interaction_actions
         (organization_id, environment, interaction_id, position, type, action, message_id, status, due_at, created_at,
          ended_at)
       select organization_id, environment, id, 0, 'update_message', '{}', message_id, 'done', now(), now(), now()
       from interactions`,
    );
    await world.rows(
      `insert into destinations
         (organization_id, environment, id, operation_id, name, url, method, header_names, headers_ciphertext,
          headers_key_id, auth_type, is_active, retry_enabled, max_retries, retry_strategy, retry_initial_delay_ms,
          retry_max_delay_ms, timeout_ms, secret_ciphertext, secret_key_id, created_by, created_at, updated_at)
       select $1, 'production', $1, gen_random_uuid(), 'one', 'https://one.test', 'POST', '[]', '', 'k1', 'none',
         true, false, 0, 'fixed', 1000, 1000, 1000, '', 'k1', 'somebody', now(), now()`,
      [busy],
    );
    await world.rows(
      `insert into deliveries
         (organization_id, environment, id, operation_id, destination_id, origin, origin_id, payload, status, due_at,
          give_up_at, created_at, updated_at)
       select $1, 'production', gen_random_uuid(), gen_random_uuid(), $1, 'event', gen_random_uuid(), '{}',
         case when number % 1000 = 0 then 'failed' else 'delivered' end, now(), now(), now(), now()
       from generate_series(1, 4000) as number`,
      [busy],
    );
    await asOwner('delivery', world.ownerUrl, (owner) => owner.query('analyze'));
  });
  afterAll(() => world.close());

  const mine = "organization_id = $1 and environment = 'production'";
  const hot: [string, string, string, () => unknown[]][] = [
    [
      'a message by operation',
      'messages',
      `${mine} and operation_id = $2 and item = 0`,
      () => [uuidv7(), uuidv7()],
    ],
    ['a message by id', 'messages', `${mine} and id = $2`, () => [uuidv7(), uuidv7()]],
    ['the message of a click', 'messages', 'id = $1', () => [uuidv7()]],
    [
      'an interaction that comes again',
      'interactions',
      `${mine} and dedupe_key = $2`,
      () => [uuidv7(), 'trigger 1.2.3'],
    ],
    ['interactions of a message', 'interactions', `${mine} and message_id = $2`, () => [uuidv7(), uuidv7()]],
    ['actions that are due', 'interaction_actions', "status = 'waiting' and due_at < now()", () => []],
    ['messages of a template', 'messages', `${mine} and template_id = $2`, () => [uuidv7(), uuidv7()]],
    [
      'the message of a charge',
      'messages',
      `${mine} and credit_log_id = $2 and id >= $3 and id < $2`,
      () => [uuidv7(), uuidv7(), uuidv7()],
    ],
    [
      'the first message of a keyed operation',
      'messages',
      `${mine} and key_digest = $2 and item = 0`,
      () => [uuidv7(), 'digest'],
    ],
    [
      'messages before one',
      'messages',
      `${mine} and id < $2 and id >= $3 order by id desc limit 10000`,
      () => [uuidv7(), uuidv7(), uuidv7()],
    ],
    ['newest messages', 'messages', `${mine} order by id desc limit 20`, () => [uuidv7()]],
    [
      'abandoned messages',
      'message_states',
      `status in ('accepted', 'posting') and due_at < now()`,
      () => [],
    ],
    ['due lookups', 'message_states', `status = 'unknown' and due_at <= now() order by due_at`, () => []],
    ['failed messages', 'message_states', `${mine} and status = 'failed'`, () => [uuidv7()]],
    [
      'changed messages',
      'message_states',
      `${mine} and coalesce(followed_at, changed_at) > now() order by coalesce(followed_at, changed_at), message_id limit 100`,
      () => [uuidv7()],
    ],
    [
      'failed deliveries of a destination',
      'deliveries',
      `${mine} and destination_id = $1 and status = 'failed' order by id desc limit 20`,
      () => [busy],
    ],
    ['a connection', 'chat_connections', mine, () => [uuidv7()]],
    ['due schedules', 'scheduled_messages', "status = 'active' and next_run_at <= now()", () => []],
    ['ended schedules', 'scheduled_messages', "ended_at < now() - interval '1 year'", () => []],
    [
      'schedules of a template',
      'scheduled_messages',
      `${mine} and template_id = $2`,
      () => [uuidv7(), uuidv7()],
    ],
    [
      'the last runs of a schedule',
      'scheduled_runs',
      `${mine} and scheduled_message_id = $2 order by due_at desc limit 20`,
      () => [uuidv7(), uuidv7()],
    ],
    ['a run by operation', 'scheduled_runs', `${mine} and operation_id = $2`, () => [uuidv7(), uuidv7()]],
    ['old runs', 'scheduled_runs', "ended_at < now() - interval '1 year'", () => []],
  ];

  it.each(hot)('finds %s by an index', async (_, table, condition, values) => {
    const plan = await world.rows<{ 'QUERY PLAN': string }>(
      `explain select * from ${table} where ${condition}`,
      values(),
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
    expect(text).not.toContain('Seq Scan');
  });

  it('has few indexes that each message is in, and none of what changes of it', async () => {
    const indexes = await world.rows<{ name: string; is_partial: boolean }>(
      `select indexrelid::regclass::text as name, indpred is not null as is_partial
       from pg_index
       where indrelid = 'messages'::regclass
       order by name`,
    );
    expect(indexes.filter((it) => !it.is_partial).map((it) => it.name)).toEqual([
      'messages_id',
      'messages_once',
      'messages_pk',
      'messages_template',
    ]);
    expect(indexes.filter((it) => it.is_partial).map((it) => it.name)).toEqual([
      'messages_changes',
      'messages_keyed',
      'messages_of_key',
    ]);
  });
});
