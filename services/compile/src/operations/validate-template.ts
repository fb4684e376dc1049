import { validateTemplate as operation } from '@stanza/contracts';
import { type Clock, handle, newId } from '@stanza/runtime';
import { checkDraft } from '../domain/draft.ts';

/** Checks blocks like create would, and answers the problems instead of refusing. */
export const validateTemplate = ({ clock }: { clock: Clock }) =>
  handle(operation, async ({ input: { body } }) => {
    const draft = { blocks: body.blocks, fallbackText: null, sampleData: body.sample_data ?? {} };
    const { blocks, requestFormat, result } = checkDraft(draft, newId, clock.now());
    const checked = { valid: result.ok, blocks, request_format: requestFormat };
    if (!result.ok) return { ...checked, errors: result.problems, warnings: [] };
    const { text, metadata, fieldsTruncated, warnings } = result;
    return {
      ...checked,
      output: {
        blocks: result.blocks,
        text,
        metadata,
        chat_truncation: { fields_truncated: fieldsTruncated },
      },
      warnings,
    };
  });
