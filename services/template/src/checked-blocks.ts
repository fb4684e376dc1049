import { type Block, checkBlocks, problemsError } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { TemplateRow, VersionContent } from './domain/rows.ts';

/** What is to be saved as a version. */
export interface Draft {
  blocks: Block[];
  sample_data?: Record<string, unknown> | undefined;
  /** What the template says of how it is compiled; its fallback text is compiled with the blocks. */
  template: Pick<TemplateRow, 'fallback_text' | 'locale' | 'timezone'>;
}

/**
 * Fills the ids of the blocks and compiles them with the sample data, as every use of the version will.
 * @throws CodedError `compilation_failed` with every problem, those of the sample data included: they are the template's
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
