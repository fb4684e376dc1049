import { type Block, checkBlocks, problemsError } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { TemplateRow, VersionContent } from './domain/tables.ts';

/** The content of a version to be saved. */
export interface Draft {
  blocks: Block[];
  sample_data?: Record<string, unknown> | undefined;
  /** The template's settings for compiling; its fallback text is compiled with the blocks. */
  template: Pick<TemplateRow, 'fallback_text' | 'locale' | 'timezone'>;
}

/**
 * Fills the ids of the blocks and compiles them with the sample data, like every later use of the version.
 * @throws CodedError `compilation_failed` with every problem, including those of the sample data, since it belongs to
 * the version
 */
export const checkedBlocks = async (
  rpc: RpcClient,
  context: CallContext,
  { blocks, sample_data, template }: Draft,
): Promise<VersionContent> => {
  const { fallback_text, locale, timezone } = template;
  const input = { blocks, sample_data: sample_data ?? {}, fallback_text, locale, timezone };
  const checked = await rpc.call(checkBlocks, input, context);
  if (checked.problems.length > 0) throw problemsError('compilation_failed', checked.problems);
  return {
    blocks: checked.blocks,
    sample_data: sample_data ?? null,
    request_format: checked.request_format,
  };
};
