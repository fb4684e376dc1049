import { setTimeout as pause } from 'node:timers/promises';
import {
  CodedError,
  listIdempotencyRecords,
  releaseIdempotencyRecord,
  settleIdempotencyRecord,
} from '@stanza/contracts';
import { type Stack, waitUntil } from '@stanza/local';
import { newContext } from '@stanza/runtime';
import type { Api } from '../kit/api.ts';
import type { World } from '../kit/stack.ts';
import type { Customer } from './customers.ts';
import { type Evidence, readFailedBatches, readUnrest } from './evidence.ts';
import { ask, isFailure, isOpen, type Ledger, promisesOf } from './ledger.ts';

/** What is waited for. */
interface Waiting {
  stack: Stack;
  world: World;
}

/** How much longer than allowed is waited, so that the other invariants can be checked in any case. */
const patienceMs = 90_000;
const replays = 200;
/** How often a client asks when nothing is broken any more: a rate may be spent, and a job settles lost answers. */
const maxTries = 10;
/** How long keys may stay blocked for an operator. */
const blockedMs = 60_000;

const isReady = async (metricsUrl: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(2_000);
    return (await fetch(metricsUrl.replace(/\/metrics$/, '/readyz'), { signal })).ok;
  } catch {
    // Whatever it is: not ready.
    return false;
  }
};

/** Whether a gateway reaches every service: one operation of each. */
const answers = async (api: Api, { messageTemplate, queues, id }: Customer): Promise<boolean> => {
  const asked = [
    () => api.post('/v1/templates/compile', { template_id: messageTemplate, data: { marker: 'probe' } }),
    () => api.get(`/v1/templates/${messageTemplate}`),
    () => api.get('/v1/messages?limit=1'),
    () => api.get(`/v1/queues/${queues[0]}`),
    () => api.get(`/v1/credits/${id}`),
  ];
  try {
    const got = await Promise.all(asked.map((it) => it()));
    return got.every(({ status }) => status === 200);
  } catch {
    // A connection that breaks is no answer.
    return false;
  }
};

/** Names of the processes that are not ready; where all are, the gateways that do not reach every service. */
const missing = async ({ stack }: Waiting, prober: Customer): Promise<string[]> => {
  const processes = Object.entries(stack.info.metrics);
  const ready = await Promise.all(processes.map(([, url]) => isReady(url)));
  const away = processes.flatMap(([name], at) => (ready[at] ? [] : [name]));
  if (away.length > 0) return away;
  const reached = await Promise.all(prober.apis.map((api) => answers(api, prober)));
  return prober.apis.flatMap(({ base }, at) => (reached[at] ? [] : [`services behind ${base}`]));
};

/** Waits until every process is ready and every gateway reaches every service; tells how long that took. */
export const whenAnswering = async (
  waiting: Waiting,
  prober: Customer,
  limitMs: number,
): Promise<Pick<Evidence, 'recovered' | 'recoveryMs' | 'late'>> => {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let late: string[] = [];
  const all = async (): Promise<boolean> => {
    const lacking = await missing(waiting, prober);
    // What was away last before all was there.
    if (lacking.length > 0) late = lacking;
    return lacking.length === 0;
  };
  await waitUntil(all, { timeoutMs: limitMs + patienceMs, everyMs: 100 });
  const recoveryMs = elapsed();
  return { recoveryMs, recovered: recoveryMs <= limitMs, late };
};

const flushAll = async (customers: readonly Customer[]): Promise<void> => {
  for (const { apis, queues } of customers) {
    for (const queue of queues) await apis[0].post(`/v1/queues/${queue}/flush`, {});
  }
};

/** Has the batches retried that have failed while things were broken; answers whether there were any. */
const retryFailed = async ({ database }: World, customers: readonly Customer[]): Promise<boolean> => {
  const failed = await readFailedBatches(
    database,
    customers.map((it) => it.id),
  );
  for (const { organization_id, queue_id, id } of failed) {
    const customer = customers.find((it) => it.id === organization_id);
    await customer?.apis[0].post(`/v1/queues/${queue_id}/batches/${id}/retry`);
  }
  return failed.length > 0;
};

const context = () => newContext({ deadlineMs: 20_000 });

/** Its request may be running, or it has ended by itself since it was listed. */
const isNotToEnd = (error: unknown): boolean =>
  error instanceof CodedError && (error.code === 'invalid_state' || error.code === 'not_found');

/** Has one key settled by the service that ran it; where that cannot tell what happened, releases it. */
const settleOne = async ({ rpc }: World, operation_id: string): Promise<void> => {
  try {
    await rpc.call(settleIdempotencyRecord, { operation_id }, context());
  } catch (error) {
    if (!isNotToEnd(error)) throw error;
    await rpc.call(releaseIdempotencyRecord, { operation_id }, context());
  }
};

/** What an operator does with keys whose gateway died. They may run for half a minute, and are left alone until then. */
const settleBlocked = async (world: World): Promise<void> => {
  for (const end = performance.now() + blockedMs; performance.now() < end; await pause(2_000)) {
    const asked = { state: 'incomplete', limit: 1_000, offset: 0 } as const;
    const { records } = await world.rpc.call(listIdempotencyRecords, asked, context());
    if (records.length === 0) return;
    for (const { operation_id } of records) {
      try {
        await settleOne(world, operation_id);
      } catch (error) {
        if (!isNotToEnd(error)) throw error;
      }
    }
  }
};

/**
 * Asks again when nothing is broken any more: for what was promised, which must get the same answers, and for what was
 * unknown until now.
 */
const askAgain = async (customers: readonly Customer[], ledger: Ledger): Promise<void> => {
  const keyed = ledger.wishes.filter((it) => it.key !== undefined);
  const promised = keyed.filter((it) => promisesOf(it).length > 0);
  const open = keyed.filter(
    (it) => promisesOf(it).length === 0 && it.heard.some((one) => isOpen(one) || isFailure(one)),
  );
  for (const wish of [...promised.slice(-replays), ...open]) {
    const customer = customers.find((it) => it.id === wish.organization);
    for (let tries = 1; customer && tries <= maxTries; tries += 1) {
      if (!isOpen(await ask(customer.apis[0], wish, ledger))) break;
      await pause(1_000);
    }
  }
};

/**
 * Flushes, settles and replays, waits until nothing is under way, and has retried what has failed; answers what is still
 * under way when the time is up.
 */
export const calmDown = async (
  { world }: Waiting,
  customers: readonly Customer[],
  ledger: Ledger,
  restMs: number,
): Promise<Record<string, number>> => {
  const ids = customers.map((it) => it.id);
  const rest = async (): Promise<Record<string, number>> => {
    for (const end = performance.now() + restMs; ; ) {
      const unrest = await readUnrest(world.database, ids);
      if (Object.keys(unrest).length === 0 || performance.now() > end) return unrest;
      await pause(500);
    }
  };
  await flushAll(customers);
  await settleBlocked(world);
  await askAgain(customers, ledger);
  // A push that was open until now has opened a batch, which may wait for a day.
  await flushAll(customers);
  const unrest = await rest();
  if (Object.keys(unrest).length > 0) return unrest;
  return (await retryFailed(world, customers)) ? rest() : unrest;
};
