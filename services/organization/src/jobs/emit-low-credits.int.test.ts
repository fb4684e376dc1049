import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitingEvents } from '@stanza/test-kit/service-world';
import { v7 as uuidv7 } from 'uuid';
import { grantCredits } from '../operations/grant-credits.ts';
import { askedStatements } from '../testing/asked-statements.ts';
import { found, openWorld, runInternal, type World } from '../testing/world.ts';
import { emitLowCredits } from './emit-low-credits.ts';

describe('low credits', () => {
  let world: World;
  let run: () => Promise<void>;

  beforeAll(async () => {
    world = await openWorld();
    run = emitLowCredits(world);
  });
  afterAll(() => world.close());

  const told = (organizationId: string) => waitingEvents(world, organizationId);
  /** Sets what is left, as charges and reservations do. */
  const leave = (organizationId: string, balance: number, reserved = 0) =>
    world.rows('update credit_accounts set balance = $2, reserved = $3 where organization_id = $1', [
      organizationId,
      balance,
      reserved,
    ]);

  it('are told to both environments below a tenth of the monthly credits, what is reserved taken off', async () => {
    const { id } = await found(world, { tier: 'free', credits: 100 });
    await run();
    expect(await told(id)).toEqual([]);
    await leave(id, 100, 1);
    await run();
    const data = { remaining_credits: 99, threshold: 100, overage: 0, tier: 'free', monthly_credits: 1_000 };
    expect(await told(id)).toMatchObject(
      ['production', 'preview'].map((environment) => ({
        type: 'credits.low',
        subject: id,
        environment,
        data,
      })),
    );
  });

  it('take one statement while nobody has fallen below', async () => {
    await found(world, { tier: 'free', credits: 100 });
    await run();
    const { database, asked } = askedStatements(world.database);
    await emitLowCredits({ ...world, database })();
    expect(asked).toEqual(['credits-any-low']);
  });

  it('are told once, however many replicas look and however often', async () => {
    const { id } = await found(world, { tier: 'free', credits: 5 });
    await Promise.all([run(), run(), run()]);
    await leave(id, 3);
    await run();
    expect(await told(id)).toHaveLength(2);
  });

  it('are told again once there was twice the threshold in between, and not when they come and go at it', async () => {
    const { id } = await found(world, { tier: 'free', credits: 99 });
    await run();
    for (const left of [100, 99, 199, 99]) {
      await leave(id, left);
      await run();
    }
    expect(await told(id)).toHaveLength(2);
    await runInternal(grantCredits(world), {
      organization_id: id,
      grant_id: uuidv7(),
      amount: 500,
      reason: 'more',
    });
    await run();
    await leave(id, 50);
    await run();
    expect(await told(id)).toHaveLength(4);
  });
});
