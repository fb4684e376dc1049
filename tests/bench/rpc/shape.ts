import type { Principal } from '@stanza/contracts';

/** Calls in flight at any time. */
export const inFlight = 64;

/** One of this many calls is answered with an error, so that both sides pay for errors as well. */
export const errorEvery = 100;

/** What is echoed: about 130 bytes of JSON, as a charge of credits would be. */
export const payload = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  operation: 'compile',
  amount: 1,
  note: 'thirty-two characters, more or less',
};

/** On whose behalf each call is made; it travels with every call on both sides. */
export const principal: Principal = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  environment: 'production',
  actor: { type: 'api_key', id: '019a0000-0000-7000-8000-000000000002' },
  role: 'member',
  scopes: ['templates:read', 'entities:read', 'usage:read', 'messages:create', 'messages:preview'],
};

/** What a client process answers after a round. */
export interface RoundResult {
  /** Calls a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU time of the client process for one call, microseconds. */
  cpu: number;
  errors: number;
}

/** Makes `count` calls, 64 at any time, and measures them. `call` is told by its number whether to expect an error. */
export const measureRound = async (
  count: number,
  call: (isError: boolean) => Promise<void>,
): Promise<RoundResult> => {
  const latencies = new Float64Array(count);
  let next = 0;
  let errors = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const started = performance.now();
      const isError = index % errorEvery === 0;
      try {
        await call(isError);
        if (isError) throw new RangeError('a call that should have failed did not');
      } catch (error) {
        if (!isError || error instanceof RangeError) throw error;
        errors++;
      }
      latencies[index] = performance.now() - started;
    }
  };
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort();
  const quantile = (share: number): number => latencies[Math.floor(count * share)] ?? 0;
  return {
    rate: count / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    cpu: (user + system) / count,
    errors,
  };
};

/** Answers each number that the parent process sends with the result of a round of this many calls. */
export const serveRounds = (call: (isError: boolean) => Promise<void>): void => {
  process.on('message', (count) => {
    void measureRound(Number(count), call).then((result) => process.send?.(result));
  });
  process.send?.('ready');
};
