import type { Block } from '@stanza/contracts';
import { fillIds, requestFormat } from '@stanza/engine';
import { type Compiled, compile, parse, type Refused } from './compilation.ts';

/** Blocks that are not yet a version. */
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

/** The result of checking a draft. */
export interface CheckedDraft {
  /** With generated ids, as they would be stored. */
  blocks: Block[];
  /** Every path read by the blocks; where some cannot be parsed, those of the others. */
  requestFormat: Record<string, null>;
  result: Compiled | Refused;
}

/** Fills ids and compiles with the sample data, with missing values as warnings. */
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
