import { type CallContext, Tenant } from '@stanza/runtime';
import { checkedBlocks } from './checked-blocks.ts';
import type { Dependencies } from './dependencies.ts';
import type { TemplateRow } from './domain/tables.ts';
import { liveOrNewestVersion } from './store/requested-version.ts';

/** Settings that a version is checked with: no further version could be saved with wrong ones. */
type CheckedSettings = Partial<Pick<TemplateRow, 'fallback_text' | 'locale'>>;

/**
 * Compiles new settings with the live version, else the newest one: an invalid fallback text would break every version,
 * and the texts of the blocks may be missing in another language.
 * @throws CodedError `compilation_failed` with every problem
 */
export const checkSettings = async (
  { database, rpc }: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  template: TemplateRow,
  { fallback_text, locale }: CheckedSettings,
): Promise<void> => {
  if (typeof fallback_text !== 'string' && locale === undefined) return;
  const wanted = {
    ...(fallback_text !== undefined && { fallback_text }),
    ...(locale !== undefined && { locale }),
  };
  const version = await liveOrNewestVersion(Tenant.of(template), database, template);
  const { blocks, sample_data } = version;
  const draft = { blocks, sample_data: sample_data ?? {}, template: { ...template, ...wanted } };
  await checkedBlocks(rpc, context, draft);
};
