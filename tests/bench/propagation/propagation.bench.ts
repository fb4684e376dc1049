import { revokeKey, setMaintenance, setOrganizationStatus } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { Pool } from 'undici';
import type { World } from '../../kit/stack.ts';
import { waitFor } from '../../kit/wait.ts';
import { median } from '../figures.ts';
import { type BenchStack, onStack } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const gateways = 3;
const rounds = { full: 15, check: 1 } as const;
/** Ends a bench whose change does not arrive. */
const patienceMs = 60_000;

/** A change that every gateway is to know of. */
interface Change {
  what: string;
  /** Of an answer of every gateway before and after. */
  statuses: { before: number; after: number };
  /** Prepares a key, and answers it with the call that makes the change. */
  prepare(): Promise<{ key: string; make: () => Promise<unknown>; undo?: () => Promise<unknown> }>;
}

/** Milliseconds of one round. */
interface Times {
  /** From the begin of the operator's call until every gateway has answered as it is to. */
  everywhere: number;
  /** Of the operator's call alone. */
  call: number;
}

const changesOn = ({ rpc, newOrganization }: World): Change[] => {
  const context = () => newContext({ deadlineMs: 10_000 });
  const maintain = (on: boolean) =>
    rpc.call(setMaintenance, { on, message: null, retry_after: 60 }, context());
  const customer = async () => {
    const organization = await newOrganization({ connected: false });
    return { organization, ...(await organization.key()) };
  };
  return [
    {
      what: `maintenance on, until ${gateways} gateways are closed`,
      statuses: { before: 200, after: 503 },
      prepare: async () => ({
        key: (await customer()).key,
        make: () => maintain(true),
        undo: () => maintain(false),
      }),
    },
    {
      what: `a key revoked, until ${gateways} gateways refuse it`,
      statuses: { before: 200, after: 401 },
      prepare: async () => {
        const { organization, id, key } = await customer();
        const make = () => organization.call(revokeKey, { organization_id: organization.id, key_id: id });
        return { key, make };
      },
    },
    {
      what: `an organization suspended, until ${gateways} gateways refuse it`,
      statuses: { before: 200, after: 403 },
      prepare: async () => {
        const { organization, key } = await customer();
        const status = { organization_id: organization.id, status: 'suspended' } as const;
        return { key, make: () => organization.call(setOrganizationStatus, status) };
      },
    },
  ];
};

/** One round: the change is made once every gateway has answered as before, and so has the key in its cache. */
const measure = async ({ statuses, prepare }: Change, pools: readonly Pool[]): Promise<Times> => {
  const { key, make, undo } = await prepare();
  const statusOf = async (pool: Pool): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/templates', headers });
    await body.dump();
    return statusCode;
  };
  const all = (wanted: number) => async (): Promise<boolean> =>
    (await Promise.all(pools.map(statusOf))).every((status) => status === wanted);
  await waitFor('every gateway to take the key', all(statuses.before));
  const begun = performance.now();
  await make();
  const call = performance.now() - begun;
  // Asks without a pause, since a pause would be measured.
  const hasArrived = all(statuses.after);
  while (!(await hasArrived()))
    if (performance.now() - begun > patienceMs) throw new Error('it never arrived');
  const everywhere = performance.now() - begun;
  await undo?.();
  return { everywhere, call };
};

const ms = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;

const rowOf = ({ what }: Change, times: readonly Times[]): BenchRow => {
  const everywhere = times.map((it) => it.everywhere);
  const calls = times.map((it) => it.call);
  return {
    what,
    peer: "floor: the operator's call alone",
    ours: ms(everywhere),
    theirs: ms(calls),
    ratio: median(everywhere) / median(calls),
    budget: '≤ 1,000 ms',
    aim: '≤ 100 ms',
    p50: ms(everywhere),
    p99: `${Math.max(...everywhere).toFixed(0)} ms`,
  };
};

/** How soon every gateway knows of what an operator or an owner has changed. */
export const propagationBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStack({ seed: false, replicas: { gateway: gateways } }, async ({ stack, world }: BenchStack) => {
    const pools = stack.baseUrls.map((base) => new Pool(base, { connections: 1 }));
    try {
      const changes = changesOn(world);
      const times = changes.map((): Times[] => []);
      for (let round = 0; round < rounds[mode]; round += 1) {
        for (const [index, change] of changes.entries()) times[index]?.push(await measure(change, pools));
      }
      return changes.map((change, index) => rowOf(change, times[index] ?? []));
    } finally {
      await Promise.all(pools.map((pool) => pool.close()));
    }
  });
