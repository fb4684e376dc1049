import { describe, expect, it } from '@jest/globals';
import {
  type Block,
  CodedError,
  getImpactSource,
  getTemplateImpact,
  listBatchData,
  listScheduleData,
  rateOf,
  type Scope,
} from '@stanza/contracts';
import { handle, newContext, newId, systemClock, Tenant } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { type ImpactDependencies, impactTurns, measure } from './impact.ts';
import { runWhole } from './runs/runs.ts';
import { testMetrics } from './testing/compile-service.ts';
import { somebody } from './testing/neighbours.ts';

describe('impacts that are asked for at once', () => {
  /** A process whose impacts begin, and end as refused when they are let go. */
  const processOf = () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const source = handle(getImpactSource, async ({ input }) => {
      begun.push(input.organization_id);
      await new Promise<void>((resolve) => ends.push(resolve));
      throw new CodedError('template_not_found');
    });
    const dependencies: ImpactDependencies = {
      rpc: inProcessRpc([source]),
      run: runWhole,
      sources: { get: () => Promise.reject(new TypeError('nothing is compiled')) },
      clock: systemClock,
      impacts: impactTurns(testMetrics()),
    };
    const ask = (organizationId: string): Promise<string> =>
      measure(dependencies, {
        tenant: new Tenant(organizationId, 'production'),
        context: newContext({ deadlineMs: 60_000 }),
        templateId: newId(),
        blocks: [],
      }).then(
        () => 'measured',
        (error: unknown) => (error instanceof CodedError ? error.code : 'unexpected'),
      );
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const endAll = async (): Promise<void> => {
      for (let idle = 0; idle < 10; idle += 1) {
        if (ends.length > 0) idle = 0;
        for (const end of ends.splice(0)) end();
        await turn();
      }
    };
    return { begun, ask, endAll, turn };
  };

  it('are measured a few at a time, and an organization leaves a place to others', async () => {
    const { begun, ask, endAll, turn } = processOf();
    const [busy, other] = [newId(), newId()];
    const asked = Array.from({ length: 5 }, () => ask(busy));
    asked.push(ask(other), ask(other));
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(begun).toEqual([busy, busy, other]);
    await endAll();
    expect(await Promise.all(asked)).toEqual(Array(7).fill('template_not_found'));
    expect(begun).toHaveLength(7);
  });

  it('are refused where too many of an organization wait', async () => {
    const { ask, endAll } = processOf();
    const busy = newId();
    const asked = Array.from({ length: 13 }, () => ask(busy));
    expect(await asked[12]).toBe('service_unavailable');
    await endAll();
    expect((await Promise.all(asked)).filter((it) => it === 'template_not_found')).toHaveLength(12);
  });
});

describe('an impact', () => {
  const scopes: Scope[] = ['sample-data:read', 'messages:create', 'queues:write'];
  const settings = { fallback_text: null, locale: null, timezone: null, strict: false };
  const storedOf = (data: Record<string, unknown>[]) => ({
    items: data.map((it) => ({ id: newId(), name: 'An order', owner: null, data: it })),
    left_out: 0,
  });
  const measuring = (stored: {
    samples?: Record<string, unknown>[];
    batches?: Record<string, unknown>[];
    blocks: Block[];
  }) => {
    const { samples = [], batches = [], blocks } = stored;
    const dependencies: ImpactDependencies = {
      rpc: inProcessRpc([
        handle(getImpactSource, async () => ({
          ...settings,
          live: null,
          candidate: null,
          samples: storedOf(samples),
        })),
        handle(listScheduleData, async () => storedOf([])),
        handle(listBatchData, async () => storedOf(batches)),
      ]),
      run: runWhole,
      sources: { get: () => Promise.reject(new TypeError('no version is named')) },
      clock: systemClock,
      impacts: impactTurns(testMetrics()),
    };
    const asked = {
      tenant: new Tenant(newId(), 'production'),
      context: newContext({ deadlineMs: 60_000, principal: { ...somebody(), scopes } }),
      templateId: newId(),
      blocks,
    };
    return async (more: object = {}) => (await measure(dependencies, { ...asked, ...more })).data;
  };
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const each = (path: string, children: Block[], as?: string) => ({
    type: 'directive',
    directive: '#each',
    path,
    children,
    ...(as !== undefined && { as }),
  });

  it('is that of the settings that come along, else of those of the template', async () => {
    const measured = measuring({ samples: [{}], blocks: [section('Order {{number}}')] });
    const effectWith = async (more: object) => (await measured(more))[0]?.effect;
    expect(await effectWith({})).toBe('warning');
    expect(await effectWith({ settings: { ...settings, strict: true } })).toBe('breaks');
    expect(await effectWith({ settings: { ...settings, fallback_text: 'Order' } })).toBe('warning');
  });

  it('leaves out of a batch what its digest leaves out, and of nothing else', async () => {
    const data = { events: [{ user: 'Ada' }, { user: { id: 1 } }] };
    const blocks = [each('events', [section('{{event.user}}')], 'event')];
    const measured = measuring({ samples: [data], batches: [data], blocks });
    const effects = async (more: object = {}) =>
      (await measured(more)).map(({ source, effect, problems }) => [source, effect, problems[0]?.rule]);
    expect(await effects()).toEqual([
      ['sample_data', 'breaks', 'value.object'],
      ['batch', 'warning', 'entry.left_out'],
    ]);
    expect(await effects({ settings: { ...settings, strict: true } })).toContainEqual([
      'batch',
      'breaks',
      'value.object',
    ]);
  });

  it('leaves out of a batch the events that are more work than a digest may do', async () => {
    const huge = { user: 'Ada', tags: Array(21_000).fill('x') };
    const children = [section('{{event.user}}'), each('event.tags', [section('x')])];
    const blocks = [each('events', children, 'event')];
    const measured = measuring({ batches: [{ events: [{ user: 'Ada', tags: [] }, huge] }], blocks });
    expect(await measured()).toMatchObject([
      { source: 'batch', effect: 'warning', problems: [{ rule: 'entry.left_out' }] },
    ]);
  });

  it('counts against the rate of authoring', () => {
    expect(rateOf(getTemplateImpact)).toBe('authoring');
  });
});
