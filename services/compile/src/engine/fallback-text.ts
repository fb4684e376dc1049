import { blockTypes } from './catalogue/blocks.ts';
import type { Summary } from './catalogue/summaries.ts';
import type { JsonObject } from './json.ts';
import { limits } from './limits.ts';
import { cutText } from './text/cut.ts';

const summaries = new Map<unknown, Summary>(
  Object.entries(blockTypes).map(([type, { summary }]) => [type, summary]),
);
const { max } = limits['message.text'];

/**
 * The text that notifications show and screen readers say, made from compiled blocks: what they say, line by line,
 * in mrkdwn, up to its limit.
 */
export const fallbackTextOf = (blocks: readonly JsonObject[]): string => {
  let text = '';
  for (const block of blocks) {
    const said = summaries.get(block.type)?.(block) ?? '';
    if (said === '') continue;
    text = text === '' ? said : `${text}\n${said}`;
    if (text.length > 2 * max) break;
  }
  return cutText(text, max, 'mrkdwn');
};
