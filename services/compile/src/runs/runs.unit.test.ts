import { afterAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { newId, silentLogger, withinOrganizations } from '@stanza/runtime';
import { hostileTemplates } from '@stanza/test-kit/hostile-templates';
import { testMetrics } from '../testing/compile-service.ts';
import { greeting } from '../testing/neighbours.ts';
import { Runs, type RunsOptions, runWhole } from './runs.ts';
import { sourceOf, type Task } from './task.ts';
import { draftTask, effectTask, inputsTask, jsonTask, messageTask, viewTask } from './tasks.ts';

const now = Date.parse('2026-11-25T08:00:00.000Z');
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
const never = {
  type: 'directive',
  directive: '#if',
  condition: { path: 'never' },
  children: [{ type: 'divider' }],
};
const each = { type: 'directive', directive: '#each', path: 'items', children: [never] };
/** More rounds than may be made here, and fewer than the engine allows. */
const rounds = { items: Array(5_000).fill(1) };
const [heavy] = hostile;
if (!heavy) throw new Error('there is a hostile template');

const refused = 'service_unavailable, nothing done: true';
const told = (error: unknown): string =>
  error instanceof CodedError ? `${error.code}, nothing done: ${error.facts.nothing_done}` : String(error);

describe('the work of the engine', () => {
  const open: Runs[] = [];

  /** Those with the usual options are shared: a thread takes a second of a processor to start. */
  let shared: ReturnType<typeof startWith> | undefined;
  const start = (options?: Partial<RunsOptions>) => {
    if (options) return startWith(options);
    shared ??= startWith({});
    return shared;
  };

  const startWith = (options: Partial<RunsOptions>) => {
    const metrics = testMetrics();
    const log = silentLogger();
    const runs = new Runs({ threads: 1, waitMs: 300_000, taskMs: 300_000, metrics, log, ...options });
    open.push(runs);
    const handedOn = async (reason: string): Promise<number> => {
      const text = await metrics.registry.metrics();
      return Number(text.match(new RegExp(`long_runs_total\\{.*reason="${reason}".*\\} (\\d+)`))?.[1] ?? 0);
    };
    /** How many tasks are handed on, for each of the reasons, while this is done. */
    const handedOnBy = async (work: () => Promise<unknown>): Promise<{ size: number; work: number }> => {
      const before = { size: await handedOn('size'), work: await handedOn('work') };
      await work();
      return {
        size: (await handedOn('size')) - before.size,
        work: (await handedOn('work')) - before.work,
      };
    };
    return { run: runs.run, handedOnBy };
  };

  afterAll(async () => {
    for (const runs of open) await runs.close();
  });

  it('is done at once where it asks for little', async () => {
    const { run, handedOnBy } = start();
    const handedOn = await handedOnBy(async () =>
      expect(await run(messageTask, ordinary)).toEqual(await runWhole(messageTask, ordinary)),
    );
    expect(handedOn).toEqual({ size: 0, work: 0 });
  });

  it.each(hostile)('comes to the same end wherever it is done: $name', async ({ args }) => {
    const result = await start().run(messageTask, args);
    expect(result).toEqual(await runWhole(messageTask, args));
    expect(result).toMatchObject({ ok: false, problems: [{ rule: 'budget' }] });
  });

  it('of a template that asks for much does not hold up what begins after it', async () => {
    const { run, handedOnBy } = start();
    const ended: string[] = [];
    const handedOn = await handedOnBy(() => {
      const first = run(messageTask, heavy.args).then(() => ended.push('much'));
      const second = run(messageTask, ordinary).then(() => ended.push('little'));
      return Promise.all([first, second]);
    });
    expect(ended).toEqual(['little', 'much']);
    expect(handedOn).toEqual({ size: 0, work: 1 });
  });

  const inputs = { data, mapping: null };
  const blocks = blocksOf(30, '{{name}} '.repeat(200));
  const longView = { title: 'Hello', submit_label: null, close_label: null, blocks };
  const same = <A, R>(reason: 'size' | 'work', task: Task<A, R>, args: A) => ({
    reason,
    name: task.name,
    compare: async () => {
      const { run, handedOnBy } = start();
      const handedOn = await handedOnBy(async () =>
        expect(await run(task, args)).toEqual(await runWhole(task, args)),
      );
      return handedOn[reason];
    },
  });
  const manner = { now, locale: 'de-DE', strict: undefined };
  const source = sourceOf([each], null);
  const view = { title: 'Hello', submit_label: null, close_label: null, blocks: [each] };

  it.each([
    same('size', messageTask, { source: { ...long, key: 'a version' }, inputs: { data }, now }),
    same('size', draftTask, { source: long, inputs: { data: {} }, now }),
    same('size', viewTask, { view: longView, inputs, now }),
    same('size', jsonTask, {
      json: { text: '{{name}} '.repeat(4_000) },
      data,
      options: manner,
      saved: ['name'],
    }),
    same('size', inputsTask, { source: long, sample: data, known: {} }),
    same('size', effectTask, {
      after: long,
      before: short,
      data,
      options: { after: manner, before: manner },
    }),
    same('work', messageTask, { source, inputs: { data: rounds }, now }),
    same('work', draftTask, { source, inputs: { data: rounds }, now }),
    same('work', viewTask, { view, inputs: { data: rounds, mapping: null }, now }),
    same('work', jsonTask, {
      json: Array(200).fill('{{list | json}}'),
      data: { list: Array(2_000).fill('x') },
      options: manner,
      saved: [],
    }),
    same('work', effectTask, {
      after: sourceOf([each, ...greeting], null),
      before: source,
      data: { ...rounds, ...data },
      options: { after: manner, before: manner },
    }),
  ])(
    'that is too much for here has the same result in a thread: $name, for its $reason',
    async ({ compare }) => {
      expect(await compare()).toBe(1);
    },
  );

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
    const { run } = start({ waiting: 3 });
    const [busy, other] = [newId(), newId()];
    const runAs = (organization: string) =>
      withinOrganizations([organization], () => run(messageTask, heavy.args)).then(() => 'ended', told);
    const all = await Promise.all([...Array.from({ length: 6 }, () => runAs(busy)), runAs(other)]);
    expect(all).toEqual([...Array(4).fill('ended'), refused, refused, 'ended']);
  });

  it('is refused where no thread has had room for it in time', async () => {
    const { run } = start({ waitMs: 1 });
    const all = await Promise.all(
      Array.from({ length: 3 }, () => run(messageTask, heavy.args).then(() => 'ended', told)),
    );
    expect(all).toEqual(['ended', refused, refused]);
  });

  it('is given up with its thread where it takes too long, and holds up nothing after it', async () => {
    const { run } = start({ taskMs: 0 });
    expect(await run(messageTask, heavy.args).then(() => 'ended', told)).toBe(refused);
    expect(await run(messageTask, ordinary)).toMatchObject({ ok: true });
    expect(await run(messageTask, heavy.args).then(() => 'ended', told)).toBe(refused);
  });

  it('fails alone where a thread does not know it', async () => {
    const { run } = start();
    const unknown: Task<object, unknown> = {
      name: 'unknown',
      charactersOf: () => 1_000_000,
      run: () => 'here',
    };
    await expect(run(unknown, {})).rejects.toThrow('there is no task unknown');
    expect(await run(messageTask, heavy.args)).toMatchObject({ ok: false });
  });
});
