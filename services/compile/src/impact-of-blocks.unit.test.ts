import { describe, expect, it } from '@jest/globals';
import {
  type Block,
  getImpactSource,
  getVersionContent,
  listBatchData,
  listScheduleData,
  type TemplateImpact,
} from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import { directive, section, soundTemplate, templateData } from '@stanza/engine/testing';
import { messages } from '@stanza/gallery/exhibits';
import { handle, newContext, newId, systemClock, Tenant } from '@stanza/runtime';
import { cases } from '@stanza/test-kit/cases';
import { inProcessRpc } from '@stanza/test-kit/database';
import fc from 'fast-check';
import { compile, parse } from './domain/compilation.ts';
import { type ImpactDependencies, impactTurns, measure } from './impact.ts';
import { runWhole } from './runs/runs.ts';
import { testMetrics } from './testing/compile-service.ts';
import { somebody } from './testing/neighbours.ts';
import { VersionSources } from './version-sources.ts';

type Data = Record<string, unknown>;

/** A template whose version is live, and other blocks, which are measured before and after they are saved. */
interface Situation {
  live: readonly unknown[];
  liveSample: Data | null;
  blocks: readonly unknown[];
  /** The sample data that the blocks are saved with. */
  ownSample: Data | null;
  stored: readonly Data[];
}

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** A moment that stands still, so that `time_ago` says the same of both. */
const clock = { ...systemClock, now: () => new Date('2026-11-21T08:30:00Z'), monotonic: () => 0 };
const liveId = newId();
const savedId = newId();
const owner = newId();

const dependenciesOf = ({ live, liveSample, blocks, ownSample, stored }: Situation): ImpactDependencies => {
  const versions = new Map([
    [liveId, live],
    [savedId, fillIds(blocks.filter(isBlock), newId)],
  ]);
  const version = (id: string, sample: Data | null) => ({
    version_id: id,
    version_number: 1,
    sample_data: sample,
    created_by: owner,
    entity_fields: [],
  });
  const items = stored.map((data, index) => ({ id: newId(), name: `set ${index}`, owner, data }));
  const rpc = inProcessRpc([
    handle(getImpactSource, async ({ input }) => ({
      fallback_text: null,
      locale: null,
      timezone: null,
      strict: false,
      live: version(liveId, liveSample),
      candidate: input.version_id === undefined ? null : version(savedId, ownSample),
      samples: { items, left_out: 0 },
    })),
    handle(getVersionContent, async ({ input }) => ({
      blocks: (versions.get(input.version_id) ?? []).filter(isBlock),
    })),
    handle(listScheduleData, async () => ({ items: [], left_out: 0 })),
    handle(listBatchData, async () => ({ items: [], left_out: 0 })),
  ]);
  const metrics = testMetrics();
  return {
    rpc,
    run: runWhole,
    sources: new VersionSources(rpc, { entries: 10, bytes: 10_000_000 }, metrics),
    clock,
    impacts: impactTurns(metrics),
  };
};

/** The impact of blocks before and after they are saved, without what names the version. */
const impactsOf = async (
  situation: Situation,
): Promise<{ before: TemplateImpact; after: TemplateImpact }> => {
  const dependencies = dependenciesOf(situation);
  const measured = async (given: { blocks: Block[] } | { versionId: string }) => ({
    ...(await measure(dependencies, {
      tenant: new Tenant(newId(), 'production'),
      context: newContext({ deadlineMs: 60_000, principal: somebody() }),
      templateId: savedId,
      ...given,
    })),
    version_id: null,
  });
  const before = await measured({ blocks: situation.blocks.filter(isBlock) });
  return { before, after: await measured({ versionId: savedId }) };
};

const nothing = { live: [section('Hello')], liveSample: null, ownSample: null, stored: [] };

describe('the impact of blocks before they are saved', () => {
  it.each(messages.map((message) => [message.slug, message] as const))(
    'is that of the version made of them: %s',
    async (_, { source: { blocks }, data }) => {
      const stored = [data, {}, { ...data, title: 'x'.repeat(4_000) }];
      const others = { live: [section('{{title}} {{service.name}}')], liveSample: { title: 1, items: 'x' } };
      for (const ownSample of [null, data, { items: 'x', title: [] }]) {
        const { before, after } = await impactsOf({ ...others, blocks, ownSample, stored });
        expect(before).toEqual(after);
      }
    },
  );

  it('is that of the version made of them, for generated templates and data', async () => {
    const sample = fc.option(templateData);
    await fc.assert(
      fc.asyncProperty(
        soundTemplate,
        soundTemplate,
        sample,
        sample,
        templateData,
        async (live, blocks, liveSample, ownSample, data) => {
          fc.pre([live, blocks].every((it) => parse(it, null).ok));
          const { before, after } = await impactsOf({ live, blocks, liveSample, ownSample, stored: [data] });
          expect(before).toEqual(after);
        },
      ),
      { numRuns: cases(300, 60) },
    );
  });

  it('names a text that becomes a list, though the live version has a text in its sample data', async () => {
    const situation = {
      ...nothing,
      live: [section('{{items}}')],
      liveSample: { items: 'one, two' },
      blocks: [directive('#each', { path: 'items', children: [section('{{this}}')] })],
      ownSample: { items: 'one, two' },
    };
    const { before, after } = await impactsOf(situation);
    for (const { inputs } of [before, after]) {
      expect(inputs.retyped).toEqual([{ path: 'items', from: 'string', to: 'array' }]);
    }
  });

  it('names no type that differs in the sample data of the version alone', async () => {
    const same = [section('{{amount}}')];
    const situation = {
      ...nothing,
      live: same,
      blocks: same,
      liveSample: { amount: '1' },
      ownSample: { amount: 1 },
    };
    const { before, after } = await impactsOf(situation);
    expect([before.inputs.retyped, after.inputs.retyped]).toEqual([[], []]);
  });
});

describe('the impact of blocks on stored data', () => {
  it('has every warning that a preview with the data gives', async () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: '{{title}}' } },
      section('{{gone}} {{amount | currency:"EUR"}}'),
      section('{{empty}}'),
    ];
    const data = { title: 'x'.repeat(200), amount: 'much', empty: '' };
    const preview = compile(parse(blocks, null), { data }, clock.now());
    const warnings = preview.ok ? preview.warnings : [];
    expect(warnings).toHaveLength(4);
    const { before } = await impactsOf({ ...nothing, blocks, stored: [data] });
    expect(before.summary).toEqual({ same: 0, changed: 0, warning: 1, breaks: 0 });
    const [impact] = before.data;
    expect(impact?.problem_count).toBe(warnings.length);
    expect(new Set(impact?.problems.map(({ message }) => message))).toEqual(new Set(warnings));
    expect(impact?.problems.map(({ rule }) => rule)).toEqual([
      'value.missing',
      'text.cut',
      'value.not_formatted',
      'empty.dropped',
    ]);
  });
});
