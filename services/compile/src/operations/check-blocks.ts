import { checkBlocks as operation } from '@stanza/contracts';
import { type Clock, handle, newId } from '@stanza/runtime';
import { checkDraft } from '../check-draft.ts';
import type { RunTask } from '../runs/runs.ts';

/** Fills the ids of blocks to be saved and compiles them with sample data. */
export const checkBlocks = ({ clock, run }: { clock: Clock; run: RunTask }) =>
  handle(operation, async ({ input }) => {
    const draft = {
      blocks: input.blocks,
      fallbackText: input.fallback_text,
      locale: input.locale ?? undefined,
      timezone: input.timezone ?? undefined,
      sampleData: input.sample_data,
    };
    const { blocks, requestFormat, result } = await checkDraft(draft, run, newId, clock.now().getTime());
    return {
      blocks,
      request_format: requestFormat,
      ...(result.ok
        ? { problems: [], warnings: result.warnings }
        : { problems: result.problems, warnings: [] }),
    };
  });
