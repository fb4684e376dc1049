import { CodedError, getPreviewSource, renderTest as operation, type ReplyOf } from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import { type CallContext, handle, newId, Tenant } from '@stanza/runtime';
import { compileOrThrow, type Parsed, parse, withDefaults } from '../domain/compilation.ts';
import type { PreviewDependencies } from './preview-template.ts';

type Source = ReplyOf<typeof getPreviewSource>;

interface Named {
  organization_id: string;
  environment: Tenant['environment'];
  template_id?: string | undefined;
  version_id?: string | undefined;
}

/** The settings of the template, with the version that is meant; undefined for blocks of no template. */
const sourceOf = async (
  { rpc }: Pick<PreviewDependencies, 'rpc'>,
  { template_id, ...named }: Named,
  context: CallContext,
): Promise<Source | undefined> => {
  if (template_id === undefined) return undefined;
  const source = await rpc.call(getPreviewSource, { ...named, template_id, newest: true }, context);
  if (!source.is_archived) return source;
  throw new CodedError('invalid_state', {
    message: 'The template is archived; unarchive it before you use it.',
  });
};

/** Compiles a version of a template, or blocks that are not yet one, for a test send. */
export const renderTest = (dependencies: PreviewDependencies) =>
  handle(operation, async ({ input, context }) => {
    const { blocks, data, strict, locale, timezone, ...named } = input;
    const source = await sourceOf(dependencies, named, context);
    const fallbackText = source?.fallback_text ?? null;
    const parsedVersion = (): Promise<Parsed> => {
      if (!source) throw new CodedError('version_not_found');
      const tenant = new Tenant(named.organization_id, named.environment);
      return dependencies.programs.get({ tenant, versionId: source.version_id, fallbackText });
    };
    const parsed = blocks ? parse(fillIds(blocks, newId), fallbackText) : await parsedVersion();
    const sample = blocks ? {} : (source?.sample_data ?? {});
    const inputs = { data: data ?? sample, strict, locale, timezone };
    const message = compileOrThrow(
      parsed,
      source ? withDefaults(inputs, source) : inputs,
      dependencies.clock.now(),
    );
    return {
      version: source && !blocks ? { id: source.version_id, number: source.version_number } : null,
      user_name: source?.user_name ?? null,
      icon_emoji: source?.icon_emoji ?? null,
      blocks: message.blocks,
      text: message.text,
      metadata: message.metadata,
      warnings: message.warnings,
      fields_truncated: message.fieldsTruncated,
    };
  });
