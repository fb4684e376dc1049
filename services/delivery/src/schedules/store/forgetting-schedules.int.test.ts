import { describe, expect, it } from '@jest/globals';
import { deletedAtOnce } from '@stanza/runtime';
import { countingRows } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { openWorld } from '../../testing/world.ts';
import { forgetEndedSchedules } from './scheduled-messages.ts';

const insertSchedules = `
  insert into scheduled_messages (organization_id, environment, id, operation_id, status, template_id, data,
    channel_id, cron, catch_up, next_run_at, created_by, created_at, updated_at, ended_at)
  select gen_random_uuid(), 'production', gen_random_uuid(), gen_random_uuid(), $1, gen_random_uuid(), '{}', 'C1',
    '@daily', false, case when $1 = 'active' then now() end, 'ada', now(), now(),
    case when $1 <> 'active' then now() - interval '31 days' end
  from generate_series(1, $2::integer)`;

const insertRuns = `
  insert into scheduled_runs (organization_id, environment, scheduled_message_id, due_at, operation_id, status,
    started_at, ended_at)
  select organization_id, environment, id, now() - n * interval '1 hour', gen_random_uuid(), 'sent', now(), now()
  from scheduled_messages, generate_series(1, $1::integer) as n`;

describe('scheduled messages that ended long ago', () => {
  const world = sharedByTests(openWorld);

  it('are deleted with their runs, and no statement deletes more rows than the bound', async () => {
    const ended = 4;
    const runsOfEach = deletedAtOnce / 2 + 10;
    await world().rows(insertSchedules, ['cancelled', ended]);
    await world().rows(insertSchedules, ['active', 1]);
    await world().rows(insertRuns, [runsOfEach]);
    const { counted, rounds } = countingRows(world().database);
    expect(await forgetEndedSchedules(counted)).toBe(ended);
    expect(rounds).toEqual([deletedAtOnce, deletedAtOnce, ended * runsOfEach - 2 * deletedAtOnce, ended]);
    expect(await world().rows('select status from scheduled_messages')).toEqual([{ status: 'active' }]);
    expect(await world().rows('select 1 as kept from scheduled_runs')).toHaveLength(runsOfEach);
  });
});
