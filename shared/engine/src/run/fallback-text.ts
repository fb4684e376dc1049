import { summaryOf } from '../blocks/blocks.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { cutMarks } from '../text/cut-marks.ts';

const { max } = limits['message.text'];

/**
 * The text that notifications show and screen readers say, made from compiled blocks: what they say, line by line,
 * in mrkdwn, up to its limit.
 */
export const fallbackTextOf = (blocks: readonly JsonObject[]): string => {
  let text = '';
  for (const block of blocks) {
    const said = summaryOf(block);
    if (said === '') continue;
    text = text === '' ? said : `${text}\n${said}`;
    if (text.length > 2 * max) break;
  }
  return cutMarks(text, max, 'mrkdwn');
};
