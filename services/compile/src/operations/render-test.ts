import { CodedError, getPreviewSource, renderTest as operation, type ReplyOf } from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import { type CallContext, handle, newId, Tenant } from '@stanza/runtime';
import { madeOrThrow, wantedBy, withDefaults } from '../domain/compilation.ts';
import { expandedOrThrow } from '../expanded.ts';
import { archivedMessage, type RenderDependencies } from '../rendering.ts';
import { sourceOf, type TemplateSource } from '../runs/task.ts';
import { messageTask } from '../runs/tasks.ts';
import type { PreviewDependencies } from './preview-template.ts';

type Source = ReplyOf<typeof getPreviewSource>;

/** The dependencies of test sends and of updates. */
export interface TestDependencies extends PreviewDependencies, Pick<RenderDependencies, 'liveVersion'> {}

interface Named {
  organization_id: string;
  environment: Tenant['environment'];
  template_id?: string | undefined;
  version_id?: string | undefined;
}

/**
 * The settings of the template with the version that has data, as an update of a message names it: asked for together with
 * those of sends. Undefined from a template service of the previous version, which knows live versions alone.
 */
const resolved = async (
  { liveVersion }: Pick<TestDependencies, 'liveVersion'>,
  {
    organization_id,
    environment,
    template_id: templateId,
    version_id: versionId,
  }: Named & { template_id: string },
  context: CallContext,
): Promise<Source | undefined> => {
  const tenant = new Tenant(organization_id, environment);
  try {
    const version = await liveVersion({ tenant, templateId, versionId, context });
    return version.version_id === versionId ? { ...version, sample_data: null } : undefined;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'version_not_found') return undefined;
    throw error;
  }
};

/** The settings of the template, with the version that is meant; undefined for blocks of no template. */
const foundFor = async (
  dependencies: Pick<TestDependencies, 'rpc' | 'liveVersion'>,
  { template_id, ...named }: Named,
  hasData: boolean,
  context: CallContext,
): Promise<Source | undefined> => {
  if (template_id === undefined) return undefined;
  const isWhole = hasData && named.version_id !== undefined;
  const version = isWhole ? await resolved(dependencies, { ...named, template_id }, context) : undefined;
  if (version) return version;
  const { rpc } = dependencies;
  const source = await rpc.call(getPreviewSource, { ...named, template_id, newest: true }, context);
  if (!source.is_archived) return source;
  throw new CodedError('invalid_state', { message: archivedMessage });
};

/** Compiles a version of a template, or blocks that are not yet one, for a test send. */
export const renderTest = (dependencies: TestDependencies) =>
  handle(operation, async ({ input, context }) => {
    const { blocks, data, strict, locale, timezone, people, ...named } = input;
    const found = await foundFor(dependencies, named, data !== undefined, context);
    const fallbackText = found?.fallback_text ?? null;
    const tenant = new Tenant(named.organization_id, named.environment);
    const sourceOfVersion = (): Promise<TemplateSource> => {
      if (!found) throw new CodedError('version_not_found');
      return dependencies.sources.get({ tenant, versionId: found.version_id, fallbackText });
    };
    const whole = blocks && (await expandedOrThrow(dependencies.rpc, { tenant, context, blocks }));
    const source = whole ? sourceOf(fillIds(whole, newId), fallbackText) : await sourceOfVersion();
    const sample = blocks ? {} : (found?.sample_data ?? {});
    const asked = { data: data ?? sample, strict, locale, timezone, people };
    const inputs = found ? withDefaults(asked, found) : asked;
    const { run, clock } = dependencies;
    const message = madeOrThrow(await run(messageTask, { source, inputs, now: clock.now().getTime() }));
    return {
      version: found && !blocks ? { id: found.version_id, number: found.version_number } : null,
      user_name: found?.user_name ?? null,
      icon_emoji: found?.icon_emoji ?? null,
      blocks: message.blocks,
      text: message.text,
      metadata: message.metadata,
      warnings: message.warnings,
      fields_truncated: message.fieldsTruncated,
      ...wantedBy(message),
    };
  });
