import { describe, expect, it } from '@jest/globals';
import type { Database } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Dependencies } from '../dependencies.ts';
import { connected, newChannel, openWorld, sendToMany } from '../testing/world.ts';
import { createSharedWrites } from './shared-writes.ts';

describe('bulk sends that begin at the same time', () => {
  const world = sharedByTests(openWorld);

  /** The service on a database whose beginnings wait until they are let go on. */
  const withHeldBeginnings = () => {
    const { realDatabase } = world();
    /** Organizations whose beginnings have a connection. */
    const held: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const database: Database = {
      query: async (statement, values) => {
        if (statement.name === 'messages-begin') {
          held.push(values?.[0]);
          await gate.promise;
        }
        return realDatabase.query(statement, values);
      },
      transaction: realDatabase.transaction.bind(realDatabase),
      close: realDatabase.close.bind(realDatabase),
      orm: realDatabase.orm,
    };
    const dependencies: Dependencies = {
      ...world(),
      database,
      writes: createSharedWrites({ ...world(), database }),
    };
    return { dependencies, held, letGo: gate.resolve };
  };

  it('take one connection for an organization, and leave the others of the pool to its neighbours', async () => {
    const [one, other] = [await connected(world()), await connected(world())];
    const destinations = () => [{ channel_id: newChannel() }, { channel_id: newChannel() }];
    const { dependencies, held, letGo } = withHeldBeginnings();
    const sends = Array.from({ length: 12 }, () =>
      sendToMany(dependencies, one, { destinations: destinations() }),
    );
    sends.push(sendToMany(dependencies, other, { destinations: destinations() }));
    const begun = () => new Set(held);
    while (begun().size < 2) await new Promise(setImmediate);
    expect(held.toSorted()).toEqual([one.organization_id, other.organization_id].toSorted());
    letGo();
    for (const { total_sent } of await Promise.all(sends)) expect(total_sent).toBe(2);
  });
});
