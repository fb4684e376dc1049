import { describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import { v7 as uuidv7 } from 'uuid';
import { openWorld } from '../testing/world.ts';
import { interactivity } from './dependencies.ts';
import { createActionRunner } from './jobs/interaction-actions.ts';

describe('an organization with many actions of interactions waiting', () => {
  const world = sharedByTests(openWorld);

  const insert = (organizationId: string, minutes: number, count: number) =>
    world().rows(
      `insert into interaction_actions (organization_id, environment, interaction_id, position, type, action,
         message_id, status, due_at, created_at)
       select $1, 'production', gen_random_uuid(), 0, 'call_destination', '{}', gen_random_uuid(), 'waiting',
         now() - $2 * interval '1 minute', now()
       from generate_series(1, $3)
       returning 1`,
      [organizationId, minutes, count],
    );
  /** Actions that no process has taken. */
  const untaken = async (organizationId: string): Promise<number> => {
    const [row] = await world().rows<{ count: number }>(
      'select count(*)::int as count from interaction_actions where organization_id = $1 and tries = 0',
      [organizationId],
    );
    return row?.count ?? Number.NaN;
  };

  it('does not delay the action of another: they take turns', async () => {
    const [busy, other] = [uuidv7(), uuidv7()];
    const many = 2_000;
    await insert(busy, 60, many);
    await insert(other, 1, 1);
    const runner = createActionRunner(interactivity(world()));
    await runner.begin();
    await waitFor('the action of the other to be taken', async () => (await untaken(other)) === 0);
    expect(await untaken(busy)).toBeGreaterThan(many - 500);
    await runner.close();
  });
});
