import { codePoints } from '../../text/cut.ts';
import { cleanEntities, type TextKind } from '../../text/escape.ts';
import { asLabel } from '../../text/markdown.ts';
import { SafeText } from '../../text/safe-text.ts';
import { encodeAddress, inAddress, inParentheses } from '../../text/value-in-address.ts';
import { optional, text } from './arguments.ts';
import { type Filter, markedKind, textFilter, unformatted } from './filter.ts';
import { mention } from './mention.ts';

const address = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** A link; where there is no room for its address, its label alone. */
const linkTo = (url: string, label: string, kind: TextKind): SafeText => {
  const shown = kind === 'markdown' ? asLabel(label || url) : cleanEntities(label).replace(/[\s|]+/g, ' ');
  const shorten = (room: number): string => (label !== '' && codePoints(shown) <= room ? shown : '');
  if (kind === 'markdown') {
    return new SafeText(`[${shown}](${inParentheses(url).replaceAll('&', '&amp;')})`, shorten);
  }
  const address = inAddress(url).replaceAll('&', '&amp;');
  return new SafeText(label === '' ? `<${address}>` : `<${address}|${shown}>`, shorten);
};

/** Filters that make marks of the platform. Only they turn data into a mark, and only checked values. */
export const chatFilters: readonly Filter[] = [
  mention,
  {
    name: 'channel',
    takes: [],
    last: true,
    apply: textFilter((id, _, environment) => {
      if (markedKind(environment) === undefined) return id;
      if (!/^[CGD][A-Z0-9]{1,30}$/.test(id)) return unformatted(id, 'the id of a channel', environment);
      return new SafeText(`<#${id}>`);
    }),
    meaning: 'links the channel with this id',
    example: '{{channel_id | channel}}',
  },
  {
    name: 'link',
    takes: [optional(text)],
    last: true,
    apply: textFilter((given, [label = ''], environment) => {
      const kind = markedKind(environment);
      if (kind === undefined) return given;
      const url = encodeAddress(given);
      if (!address.test(url) || url.length > 3000) return unformatted(given, 'a web address', environment);
      return linkTo(url, String(label), kind);
    }),
    meaning: 'links this address, with the label as text',
    example: '{{order.url | link:"Open the order"}}',
  },
];
