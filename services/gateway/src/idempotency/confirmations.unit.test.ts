import { describe, expect, it, jest } from '@jest/globals';
import { type RpcClient, RpcFailure, silentLogger } from '@stanza/runtime';
import { Confirmations } from './confirmations.ts';

/** An organization service that records confirmations, and fails on the test's command. */
class Ledger {
  isAway = false;
  calls = 0;
  readonly told = new Set<string>();

  readonly rpc: Pick<RpcClient, 'call'> = {
    call: async (_operation, input) => {
      this.calls += 1;
      if (this.isAway) throw new RpcFailure('disconnected', 'organization.confirm-charges', false);
      const { operation_ids } = Object(input);
      for (const id of operation_ids) this.told.add(id);
      return JSON.parse(`{"confirmed":${operation_ids.length}}`);
    },
  };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `operation ${index}`);

describe('confirmations', () => {
  const start = () => {
    const ledger = new Ledger();
    return { ledger, confirmations: new Confirmations(ledger.rpc, silentLogger()) };
  };

  it('of one turn of the event loop go in few calls, without loss', async () => {
    const { ledger, confirmations } = start();
    for (const id of ids(2_500)) confirmations.add(id);
    await confirmations.flush();
    expect(ledger.told.size).toBe(2_500);
    expect(ledger.calls).toBe(3);
  });

  it('are kept while the service is unavailable, retried a bounded number of times, and sent afterwards', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] });
    const { ledger, confirmations } = start();
    ledger.isAway = true;
    for (const id of ids(2_500)) confirmations.add(id);
    for (let second = 0; second < 5; second += 1) await jest.advanceTimersByTimeAsync(1_000);
    expect(ledger.told.size).toBe(0);
    // One call for each batch at first, and from then on one at a time for all of them.
    expect(ledger.calls).toBeLessThan(3 + 11);
    ledger.isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ledger.told.size).toBe(2_500);
    jest.useRealTimers();
  });

  it('that failed are retried once at shutdown', async () => {
    const { ledger, confirmations } = start();
    ledger.isAway = true;
    confirmations.add('late');
    await confirmations.flush();
    ledger.isAway = false;
    await confirmations.flush();
    expect([...ledger.told]).toEqual(['late']);
  });
});
