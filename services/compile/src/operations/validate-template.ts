import { validateTemplate as operation } from '@stanza/contracts';
import { type Clock, handle, newId } from '@stanza/runtime';
import { checkDraft } from '../check-draft.ts';
import type { RunTask } from '../runs/runs.ts';

/** Checks blocks like create would, and answers the problems instead of refusing. */
export const validateTemplate = ({ clock, run }: { clock: Clock; run: RunTask }) =>
  handle(operation, async ({ input: { body } }) => {
    const draft = { blocks: body.blocks, fallbackText: null, sampleData: body.sample_data ?? {} };
    const { blocks, requestFormat, result } = await checkDraft(draft, run, newId, clock.now().getTime());
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
