import { afterAll, describe, expect, it } from '@jest/globals';
import { newId, silentLogger, withinOrganizations } from '@stanza/runtime';
import { hostileTemplates } from '@stanza/test-kit/hostile-templates';
import { testMetrics } from '../testing/compile-service.ts';
import { greeting } from '../testing/neighbours.ts';
import { Runs, runWhole } from './runs.ts';
import type { Task } from './task.ts';
import { draftTask, effectTask, inputsTask, jsonTask, messageTask, viewTask } from './tasks.ts';
import { sourceOf } from './template-source.ts';

const now = new Date('2026-11-25T08:00:00.000Z');
const blocksOf = (sections: number, text: string) =>
  Array.from({ length: sections }, () => ({ type: 'section', text: { type: 'mrkdwn', text } }));
const long = sourceOf(blocksOf(30, '{{name | upper}} '.repeat(100)), null);
const short = sourceOf(greeting, null);
const data = { name: 'Ada' };
const ordinary = { source: short, inputs: { data }, now };
const hostile = Object.entries(hostileTemplates).map(([name, it]) => ({
  name,
  args: { source: sourceOf(it.blocks, null), inputs: { data: { ...it.data } }, now },
}));
const [heavy] = hostile;
if (!heavy) throw new Error('there is a hostile template');

describe('the work of the engine', () => {
  const open: Runs[] = [];

  const start = () => {
    const metrics = testMetrics();
    const runs = new Runs({ threads: 1, metrics, log: silentLogger() });
    open.push(runs);
    const handedOn = async (reason: string): Promise<number> => {
      const text = await metrics.registry.metrics();
      return Number(text.match(new RegExp(`long_runs_total\\{.*reason="${reason}".*\\} (\\d+)`))?.[1]);
    };
    return { run: runs.run, handedOn };
  };

  afterAll(async () => {
    for (const runs of open) await runs.close();
  });

  it('is done at once where it asks for little', async () => {
    const { run, handedOn } = start();
    expect(await run(messageTask, ordinary)).toEqual(await runWhole(messageTask, ordinary));
    expect([await handedOn('work'), await handedOn('size')]).toEqual([0, 0]);
  });

  it.each(hostile)('comes to the same end wherever it is done: $name', async ({ args }) => {
    const result = await start().run(messageTask, args);
    expect(result).toEqual(await runWhole(messageTask, args));
    expect(result).toMatchObject({ ok: false, problems: [{ rule: 'budget' }] });
  });

  it('of a template that asks for much does not hold up what begins after it', async () => {
    const { run, handedOn } = start();
    const ended: string[] = [];
    const first = run(messageTask, heavy.args).then(() => ended.push('much'));
    const second = run(messageTask, ordinary).then(() => ended.push('little'));
    await Promise.all([first, second]);
    expect(ended).toEqual(['little', 'much']);
    expect([await handedOn('work'), await handedOn('size')]).toEqual([1, 0]);
  });

  const inputs = { data, mapping: null };
  const blocks = blocksOf(30, '{{name}} '.repeat(200));
  const longView = { title: 'Hello', submit_label: null, close_label: null, blocks };
  const same = <A, R>(task: Task<A, R>, args: A) => ({
    name: task.name,
    compare: async () => {
      const { run, handedOn } = start();
      expect(await run(task, args)).toEqual(await runWhole(task, args));
      return handedOn('size');
    },
  });

  it.each([
    same(messageTask, { source: { ...long, key: 'a version' }, inputs: { data }, now }),
    same(draftTask, { source: long, inputs: { data: {} }, now }),
    same(viewTask, { view: longView, inputs, now }),
    same(jsonTask, { json: { text: '{{name}} '.repeat(4_000) }, data, options: { now }, saved: ['name'] }),
    same(inputsTask, { source: long, sample: data, known: {} }),
    same(effectTask, { after: long, before: short, data, options: { after: { now }, before: { now } } }),
  ])('of a long template is done by a thread, with the same result: $name', async ({ compare }) => {
    expect(await compare()).toBe(1);
  });

  it('is done in turns: an organization with much of it does not hold up another', async () => {
    const { run } = start();
    const [busy, other] = [newId(), newId()];
    const ended: string[] = [];
    const runAs = (organization: string) =>
      withinOrganizations([organization], () =>
        run(messageTask, heavy.args).then(() => ended.push(organization)),
      );
    await Promise.all([...Array.from({ length: 6 }, () => runAs(busy)), runAs(other)]);
    // One of the busy one was under way, and one had waited for longer.
    expect(ended.indexOf(other)).toBe(2);
  });

  it('is refused where too much of an organization waits, and of that one alone', async () => {
    const { run } = start();
    const [busy, other] = [newId(), newId()];
    const runAs = (organization: string) =>
      withinOrganizations([organization], () => run(messageTask, heavy.args)).then(
        ({ ok }) => (ok ? 'made' : 'ended'),
        ({ code, facts }) => `${code}, nothing done: ${facts.nothing_done}`,
      );
    const all = await Promise.all([...Array.from({ length: 40 }, () => runAs(busy)), runAs(other)]);
    expect(all.pop()).toBe('ended');
    expect(all.filter((it) => it === 'ended')).toHaveLength(33);
    expect(all.filter((it) => it !== 'ended')).toEqual(
      Array(7).fill('service_unavailable, nothing done: true'),
    );
  });

  it('fails alone where a thread does not know it', async () => {
    const { run } = start();
    const unknown: Task<object, unknown> = { name: 'unknown', parses: () => 1_000_000, run: () => 'here' };
    await expect(run(unknown, {})).rejects.toThrow('there is no task unknown');
    expect(await run(messageTask, heavy.args)).toMatchObject({ ok: false });
  });
});
