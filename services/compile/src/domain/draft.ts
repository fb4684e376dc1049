import type { Block } from '@stanza/contracts';
import { fillIds, requestFormat } from '@stanza/engine';
import { type Compiled, compile, parse, type Refused } from './compilation.ts';

/** Blocks that are not a version yet. */
export interface Draft {
  blocks: Block[];
  /** Compiled with the blocks. */
  fallbackText: string | null;
  /** BCP 47. */
  locale?: string | undefined;
  /** IANA name. */
  timezone?: string | undefined;
  sampleData: Record<string, unknown>;
}

/** What is known of a draft. */
export interface CheckedDraft {
  /** With the ids that were left out, as they would be stored. */
  blocks: Block[];
  /** Every path that the blocks read; where some cannot be parsed, those of the others. */
  requestFormat: Record<string, null>;
  result: Compiled | Refused;
}

/** Fills ids and compiles with the sample data, in which a missing value is no more than a warning. */
export const checkDraft = (draft: Draft, newId: () => string, now: Date): CheckedDraft => {
  const blocks = fillIds(draft.blocks, newId);
  const parsed = parse(blocks, draft.fallbackText);
  const { sampleData: data, locale, timezone } = draft;
  return {
    blocks,
    requestFormat: requestFormat(parsed.ok ? parsed.program : parsed),
    result: compile(parsed, { data, strict: false, locale, timezone }, now),
  };
};
