import { describe, expect, it } from '@jest/globals';
import {
  getDestination,
  type HttpOperation,
  pushEvents,
  testDestination,
  updateDestination,
} from '@stanza/contracts';
import { somebody } from '@stanza/runtime/testing/rpc';
import { newRequestContext } from '../testing/request-context.ts';
import { ChangeLanes, inLane, lanedOperations } from './change-lanes.ts';

describe('changes of one resource', () => {
  /** Asks for an operation on a resource, many times at once; nothing ends before the test says so. */
  const ask = (operation: HttpOperation, ids: readonly string[]) => {
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    let underWay = 0;
    let most = 0;
    expect(lanedOperations.has(operation)).toBe(true);
    const step = inLane(new ChangeLanes(), async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await isOpen;
      underWay -= 1;
    });
    const asked = ids.map(async (id) =>
      step(
        newRequestContext(operation, { principal: somebody, input: { params: { id }, query: {}, body: {} } }),
      ),
    );
    return { open, most: () => most, ended: Promise.allSettled(asked) };
  };
  const same = (count: number): string[] => Array<string>(count).fill('one');

  it('happen one after the other, and are refused at once when many wait', async () => {
    const { open, most, ended } = ask(updateDestination, same(120));
    open();
    const refused = (await ended).flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
    expect([refused.length, most()]).toEqual([111, 1]);
    expect(refused[0]).toMatchObject({
      code: 'rate_limited',
      status: 429,
      facts: { retry_after: 1, nothing_done: true },
    });
  });

  it('wait for no change of another resource', async () => {
    const { open, most, ended } = ask(updateDestination, ['one', 'two', 'three']);
    open();
    expect((await ended).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(most()).toBe(3);
  });

  it.each([
    ['reads', getDestination],
    ['pushes', pushEvents],
    ['calls of another system', testDestination],
  ])('are not what %s are', (_, operation) => {
    expect(lanedOperations.has(operation)).toBe(false);
  });
});
