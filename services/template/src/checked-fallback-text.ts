import { type CallContext, Tenant } from '@stanza/runtime';
import { checkedBlocks } from './checked-blocks.ts';
import type { Dependencies } from './dependencies.ts';
import type { TemplateRow } from './domain/tables.ts';
import { liveOrNewestVersion } from './store/requested-version.ts';

/**
 * Compiles a new fallback text with the live version, else the newest one: an invalid text would break every version.
 * @throws CodedError `compilation_failed` with every problem
 */
export const checkFallbackText = async (
  { database, rpc }: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  template: TemplateRow,
  wanted: Partial<TemplateRow>,
): Promise<void> => {
  if (typeof wanted.fallback_text !== 'string') return;
  const version = await liveOrNewestVersion(Tenant.of(template), database, template);
  const { blocks, sample_data } = version;
  const draft = { blocks, sample_data: sample_data ?? {}, template: { ...template, ...wanted } };
  await checkedBlocks(rpc, context, draft);
};
