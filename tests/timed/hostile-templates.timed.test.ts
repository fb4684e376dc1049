import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.ts';
import { openWorld, type World } from '../support/stack.ts';
import { liveTemplate } from '../support/templates.ts';

/** Clients that ask for compiles without a pause, and compiles of their neighbour meanwhile. */
const clients = 4;
const neighbourCompiles = 200;
const mostRounds = 6;
/** Milliseconds that 99 of 100 compiles of a neighbour may take while the attack lasts. */
const budgetMs = 100;
/**
 * On a machine that is busy with something else nobody stays within the budget. An attack may then take this many times what
 * as many clients with ordinary templates make a neighbour wait, who load the machine as much.
 */
const worseThanOrdinary = 2;

const each = (path: string, children: unknown[]) => ({
  type: 'directive',
  directive: '#each',
  path,
  children,
});
const hidden = {
  type: 'directive',
  directive: '#if',
  condition: { path: 'never' },
  children: [{ type: 'divider' }],
};
const nest = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : each('items', [nest(levels - 1, inner)]);
const line = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
const richText = (text: string) => ({ type: 'rich_text', elements: [nest(1, line(text))] });

/** Templates that ask for as much work as they can, with data that makes them do it. */
const attacks: Record<string, { blocks: unknown[]; data: object }> = {
  'loops in loops': { blocks: [nest(7, hidden)], data: { items: Array(200).fill(1) } },
  'a huge list': { blocks: [each('items', [hidden])], data: { items: Array(100_000).fill(1) } },
  'long texts again and again': {
    blocks: [richText('{{long | upper | lower | truncate:1}}')],
    data: { items: Array(5_000).fill(1), long: 'x'.repeat(200_000) },
  },
  'big values made into JSON': {
    blocks: [richText('{{list | json | truncate:1}}')],
    data: { items: Array(5_000).fill(1), list: Array(50_000).fill('x') },
  },
  'a very large message': {
    blocks: [richText('{{long}}')],
    data: { items: Array(200).fill(1), long: '一'.repeat(10_000) },
  },
};

describe('templates that ask for endless work', () => {
  let world: World;
  let attacker: Api;
  let neighbour: Api;
  /** Bodies by attack, written once: whoever attacks here also keeps the neighbour's time. */
  const hostile = new Map<string, string>();

  beforeAll(async () => {
    world = await openWorld();
    const newApi = async () => {
      const organization = await world.newOrganization({ credits: 10_000, connected: false });
      return world.api.with((await organization.key()).key);
    };
    [attacker, neighbour] = [await newApi(), await newApi()];
    for (const [name, { blocks, data }] of Object.entries(attacks)) {
      const { id } = await liveTemplate(attacker, blocks);
      hostile.set(name, JSON.stringify({ template_id: id, data }));
    }
  }, 60_000);
  afterAll(() => world.close());

  const attack = (name: string) =>
    attacker.post('/v1/templates/compile', undefined, { raw: hostile.get(name) ?? '' });

  it.each(Object.keys(attacks))('end with a coded error by budget: %s', async (name) => {
    const answer = await attack(name);
    expect(answer).toMatchObject({ status: 400, body: { code: 'compilation_failed' } });
    expect(Object(answer.body).details).toMatch(/engine\.\w+/);
  });

  /** The time that 99 of 100 compiles of the neighbour stay below, in milliseconds. */
  const p99 = async (templateId: string): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < neighbourCompiles; at += 1) {
      const begun = performance.now();
      const answer = await neighbour.post('/v1/templates/compile', { template_id: templateId, data: {} });
      times.push(performance.now() - begun);
      expect(answer.status).toBe(200);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  };

  /** The neighbour's p99 while clients compile without a pause, and how many compiles those asked for. */
  const p99Beside = async (compile: (at: number) => Promise<unknown>, templateId: string) => {
    let done = false;
    let asked = 0;
    const compileOn = async (): Promise<void> => {
      while (!done) await compile(asked++);
    };
    const busy = Promise.all(Array.from({ length: clients }, compileOn));
    const ms = await p99(templateId);
    done = true;
    await busy;
    return { ms, asked };
  };

  it(`leave 99 of 100 compiles of a neighbour below ${budgetMs} ms`, async () => {
    const { id } = await liveTemplate(neighbour);
    const { id: ordinary } = await liveTemplate(attacker);
    const names = Object.keys(attacks);
    const attackOnce = async (at: number): Promise<void> => {
      const { status } = await attack(names[at % names.length] ?? '');
      expect([400, 503]).toContain(status);
    };
    const compileOrdinary = () => attacker.post('/v1/templates/compile', { template_id: ordinary, data: {} });
    const within = ({ ms }: { ms: number }, usual: { ms: number }): boolean =>
      ms < Math.max(budgetMs, usual.ms * worseThanOrdinary);
    let held = false;
    // What else the machine does adds to the time and never takes from it, so the best round tells.
    for (let round = 0; round < mostRounds && !held; round += 1) {
      const usual = await p99Beside(compileOrdinary, id);
      const attacked = await p99Beside(attackOnce, id);
      held = within(attacked, usual);
      const [worse, normal] = [attacked, usual].map(({ ms, asked }) => `${ms.toFixed(0)} ms beside ${asked}`);
      process.stdout.write(`    a neighbour's p99: ${worse} hostile compiles, ${normal} ordinary ones\n`);
      expect(attacked.asked).toBeGreaterThan(20);
    }
    expect(held).toBe(true);
  }, 180_000);
});
