import { quietSummaryOf, summaryOf } from '../blocks/blocks.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { cutMarks } from '../text/cut-marks.ts';

const { max } = limits['message.text'];

const joined = (blocks: readonly JsonObject[], summarize: (block: JsonObject) => string): string => {
  let text = '';
  for (const block of blocks) {
    const said = summarize(block);
    if (said === '') continue;
    text = text === '' ? said : `${text}\n${said}`;
    if (text.length > 2 * max) break;
  }
  return text;
};

/**
 * The text that notifications show and screen readers say, made from compiled blocks: what they say, line by line,
 * in mrkdwn, up to its limit. It is a summary, so its end is cut without a warning. Where they say nothing, it is what their buttons and menus say.
 */
export const fallbackTextOf = (blocks: readonly JsonObject[]): string =>
  cutMarks(joined(blocks, summaryOf) || joined(blocks, quietSummaryOf), max, 'mrkdwn');
