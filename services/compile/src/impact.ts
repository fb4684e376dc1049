import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Block,
  getImpactSource,
  listBatchData,
  listScheduleData,
  problemsError,
  type ReplyOf,
  type Scope,
  type TemplateImpact,
} from '@stanza/contracts';
import { fillIds, type InputField } from '@stanza/engine';
import { compareInputs, effects } from '@stanza/engine/impact';
import {
  type CallContext,
  type Clock,
  isUnavailable,
  type Metrics,
  newId,
  type RpcClient,
  type Tenant,
  Turns,
} from '@stanza/runtime';
import { knownFields } from './domain/known-fields.ts';
import { problemsOfTemplate, warningOfTemplate } from './domain/pointers.ts';
import { expandedOrThrow } from './expanded.ts';
import type { RunTask } from './runs/runs.ts';
import { sourceOf, type TemplateSource } from './runs/task.ts';
import { type DerivedInputs, effectTask, inputsTask, type Manner } from './runs/tasks.ts';
import type { VersionSources } from './version-sources.ts';

/** What measuring an impact works with. */
export interface ImpactDependencies {
  rpc: RpcClient;
  sources: Pick<VersionSources, 'get'>;
  run: RunTask;
  clock: Clock;
  /** See {@link impactTurns}. */
  impacts: Pick<Turns, 'run'>;
}

/** Impacts that a process measures at one time: each holds megabytes, and compiles for seconds. */
const places = 3;
/** Impacts of an organization that wait for their turn. */
const waiting = 10;
/** Milliseconds that one waits at most. */
const waitMs = 4_000;

/** Makes the turns of organizations at measuring impacts in this process. */
export const impactTurns = (metrics: Metrics): Turns =>
  new Turns({
    kind: 'impacts',
    places,
    waiting,
    waitMs,
    metrics,
    subject: 'Too many impacts',
  });

/** Which version of which template, or which blocks in its place. */
export interface ImpactRequest {
  tenant: Tenant;
  context: CallContext;
  templateId: string;
  versionId?: string | undefined;
  blocks?: readonly Block[] | undefined;
  /** What becomes live with it; those of the template unless given. */
  settings?: Settings | undefined;
}

type Source = ReplyOf<typeof getImpactSource>;
type Settings = Pick<Source, 'fallback_text' | 'locale' | 'timezone' | 'strict'>;
type Stored = Source['samples']['items'][number] & { source: TemplateImpact['data'][number]['source'] };
type LeftOut = TemplateImpact['not_looked_at'];

/** Milliseconds of compiling; what is left then is not looked at. */
const compileMs = 2_000;

const tooMuch = 'more is stored than one request looks at; the newest was';
const notRead = 'reading it takes a scope that the caller lacks';
const timeIsUp = 'compiling took too long';
const notStored: LeftOut[number] = {
  what: 'sends',
  count: null,
  why: 'the data of compiles and sends is not stored',
};

/**
 * Derives what a version reads, for a comparison with the live one. Types come from how it reads its values, then from
 * entity and sample data of the live version, also for a version with its own: so blocks that are not saved yet get the
 * answer that their version gets, and better sample data alone retypes nothing.
 */
const inputsOf = (
  { run }: ImpactDependencies,
  source: TemplateSource,
  live: Source['live'],
  { locale }: Pick<Settings, 'locale'>,
): Promise<DerivedInputs> =>
  run(inputsTask, {
    source,
    ownLocale: locale ?? undefined,
    sample: live?.sample_data ?? {},
    known: knownFields(live?.entity_fields ?? []),
    prefer: 'reads',
  });

const versionSample = ({ live }: Source): Stored[] =>
  live?.sample_data
    ? [
        {
          source: 'version_sample',
          id: live.version_id,
          name: `version ${live.version_number}`,
          owner: live.created_by,
          data: live.sample_data,
        },
      ]
    : [];

/**
 * The scope that reads stored data of a source, besides that of the request: what breaks, and by which condition, tells of
 * the data. The sample data of a version is a part of it, as its blocks are.
 */
const readScopes = {
  sample_data: 'sample-data:read',
  schedule: 'messages:create',
  batch: 'queues:write',
} as const satisfies Partial<Record<Stored['source'], Scope>>;

/** All data that is stored for a template and that the caller may read, and how much of it is left out. */
const gather = async (
  { rpc }: ImpactDependencies,
  { tenant, context, templateId }: ImpactRequest,
  own: Source,
) => {
  const asked = {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    template_id: templateId,
  };
  const [schedules, batches] = await Promise.all([
    rpc.call(listScheduleData, asked, context),
    rpc.call(listBatchData, asked, context),
  ]);
  const kinds = [
    { source: 'sample_data', ...own.samples },
    { source: 'schedule', ...schedules },
    { source: 'batch', ...batches },
  ] as const;
  const held = context.principal?.scopes ?? [];
  const stored = versionSample(own);
  const leftOut: LeftOut = [];
  for (const { source, items, left_out } of kinds) {
    const required_scope = readScopes[source];
    const isRead = held.includes(required_scope);
    if (isRead) stored.push(...items.map((item) => ({ ...item, source })));
    const count = left_out + (isRead ? 0 : items.length);
    if (count === 0) continue;
    leftOut.push({ what: source, count, ...(isRead ? { why: tooMuch } : { why: notRead, required_scope }) });
  }
  return { stored, leftOut };
};

/** What the item says, else the settings. */
const optionsOf = (item: Stored, settings: Settings, now: number): Manner => ({
  strict: item.strict ?? settings.strict,
  locale: item.locale ?? settings.locale ?? undefined,
  ownLocale: settings.locale ?? undefined,
  timezone: item.timezone ?? settings.timezone ?? undefined,
  // As the digest of the batch will be.
  leavesOut: item.source === 'batch',
  now,
});

/** Nothing, where no thread had room or time: the rest of an impact is worth telling. */
const withoutRoom = (err: unknown): undefined => {
  if (!isUnavailable(err)) throw err;
};

/** Compiles each piece of data until the time is up; other requests have their turn in between. */
const effectsOf = async (
  { clock, run }: ImpactDependencies,
  sources: { after: TemplateSource; before: TemplateSource | undefined },
  settings: { after: Settings; before: Settings },
  stored: readonly Stored[],
) => {
  const data: TemplateImpact['data'] = [];
  const late = new Map<Stored['source'], number>();
  const begun = clock.monotonic();
  for (const item of stored) {
    if (clock.monotonic() - begun > compileMs) {
      late.set(item.source, (late.get(item.source) ?? 0) + 1);
      continue;
    }
    const now = clock.now().getTime();
    const made = await run(effectTask, {
      ...sources,
      data: item.data,
      options: {
        after: optionsOf(item, settings.after, now),
        before: optionsOf(item, settings.before, now),
      },
    }).catch(withoutRoom);
    if (!made) {
      late.set(item.source, (late.get(item.source) ?? 0) + 1);
      continue;
    }
    const { effect, problems, count } = made;
    const { source, id, name, owner } = item;
    const told = problemsOfTemplate(problems).map(({ pointer, rule, message }) => ({
      pointer,
      rule,
      message: warningOfTemplate(message),
    }));
    data.push({ source, id, name, owner, effect, problems: told, problem_count: count });
    await breathe();
  }
  return { data, late: [...late].map(([what, count]) => ({ what, count, why: timeIsUp })) };
};

const candidateOf = async (
  { rpc, sources }: ImpactDependencies,
  { tenant, context, versionId, blocks = [] }: ImpactRequest,
  fallbackText: string | null,
): Promise<TemplateSource> => {
  if (versionId !== undefined) return sources.get({ tenant, versionId, fallbackText });
  const whole = await expandedOrThrow(rpc, { tenant, context, blocks });
  return { ...sourceOf(fillIds(whole, newId), fallbackText), key: newId() };
};

/** What is live now, where it compiles. */
const currentOf = async (
  dependencies: ImpactDependencies,
  tenant: Tenant,
  { live, locale, fallback_text: fallbackText }: Source,
): Promise<{ before: TemplateSource | undefined; inputsBefore: InputField[] }> => {
  const nothing = { before: undefined, inputsBefore: [] };
  if (!live) return nothing;
  const before = await dependencies.sources.get({ tenant, versionId: live.version_id, fallbackText });
  const inputs = await inputsOf(dependencies, before, live, { locale });
  return inputs.ok ? { before, inputsBefore: inputs.fields } : nothing;
};

const measureNow = async (
  dependencies: ImpactDependencies,
  request: ImpactRequest,
): Promise<TemplateImpact> => {
  const { tenant, context, templateId, versionId } = request;
  const source = await dependencies.rpc.call(
    getImpactSource,
    {
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      template_id: templateId,
      version_id: versionId,
    },
    context,
  );
  const { live, candidate } = source;
  const settings = request.settings ?? source;
  const after = await candidateOf(dependencies, request, settings.fallback_text);
  const inputsAfter = await inputsOf(dependencies, after, live, settings);
  if (!inputsAfter.ok) throw problemsError('compilation_failed', inputsAfter.problems);
  const { before, inputsBefore } = await currentOf(dependencies, tenant, source);
  const { stored, leftOut } = await gather(dependencies, request, source);
  const { data, late } = await effectsOf(
    dependencies,
    { after, before },
    { after: settings, before: source },
    stored,
  );
  const count = (effect: (typeof effects)[number]) => data.filter((it) => it.effect === effect).length;
  return {
    template_id: templateId.toLowerCase(),
    version_id: candidate?.version_id ?? null,
    current_version_id: live?.version_id ?? null,
    inputs: compareInputs(inputsBefore, inputsAfter.fields),
    data: data.sort((one, other) => effects.indexOf(other.effect) - effects.indexOf(one.effect)),
    summary: {
      same: count('same'),
      changed: count('changed'),
      warning: count('warning'),
      breaks: count('breaks'),
    },
    not_looked_at: [...leftOut, ...late, notStored],
  };
};

/**
 * Measures what making a version live, or blocks, would change and break, once it is the organization's turn.
 * @throws CodedError `template_not_found`, `version_not_found`, `compilation_failed` for blocks that do not compile, or
 * `service_unavailable` while too many are measured
 */
export const measure = (dependencies: ImpactDependencies, request: ImpactRequest): Promise<TemplateImpact> =>
  dependencies.impacts.run(request.tenant.organizationId, () => measureNow(dependencies, request));
