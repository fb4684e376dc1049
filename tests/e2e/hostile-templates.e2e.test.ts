import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.ts';
import { openWorld, type World } from '../support/stack.ts';
import { liveTemplate } from '../support/templates.ts';

/** Clients that do nothing but ask for hostile templates to be compiled, and compiles of the neighbour meanwhile. */
const attackers = 4;
const neighbourCompiles = 200;
const mostRounds = 8;
/** Milliseconds that 99 of 100 compiles of a neighbour may take while the attack lasts. */
const budgetMs = 100;

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
  const hostile = new Map<string, string>();

  beforeAll(async () => {
    world = await openWorld();
    const newApi = async () => {
      const organization = await world.newOrganization({ credits: 10_000, connected: false });
      return world.api.with((await organization.key()).key);
    };
    [attacker, neighbour] = [await newApi(), await newApi()];
    for (const [name, { blocks }] of Object.entries(attacks))
      hostile.set(name, (await liveTemplate(attacker, blocks)).id);
  }, 60_000);
  afterAll(() => world.close());

  const attack = (name: string) =>
    attacker.post('/v1/templates/compile', { template_id: hostile.get(name), data: attacks[name]?.data });

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

  it(`leave 99 of 100 compiles of a neighbour below ${budgetMs} ms`, async () => {
    const { id } = await liveTemplate(neighbour);
    const stop = { now: false };
    let attacked = 0;
    const names = Object.keys(attacks);
    const attackUntilStopped = async (first: number): Promise<void> => {
      for (let at = first; !stop.now; at += 1) {
        const { status } = await attack(names[at % names.length] ?? '');
        expect([400, 503]).toContain(status);
        attacked += 1;
      }
    };
    const attacking = Array.from({ length: attackers }, (_, first) => attackUntilStopped(first));
    const rounds: number[] = [];
    // What else the machine does adds to the time and never takes from it, so the best round tells.
    while (rounds.length < mostRounds && !rounds.some((it) => it < budgetMs)) rounds.push(await p99(id));
    stop.now = true;
    await Promise.all(attacking);
    const shown = rounds.map((it) => it.toFixed(0)).join(', ');
    process.stdout.write(`    ${attacked} hostile compiles; a neighbour's p99 by round: ${shown} ms\n`);
    expect(attacked).toBeGreaterThan(20);
    expect(Math.min(...rounds)).toBeLessThan(budgetMs);
  }, 180_000);
});
