import { cleanerOf, type TextKind } from '../../text/escape.ts';
import { optional, text } from './arguments.ts';
import { type Filter, SafeText, textFilter, unformatted } from './filter.ts';
import { isMarked, mention } from './mention.ts';

const address = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

const encodeAddress = (url: string): string =>
  url.toWellFormed().replace(/["<>|\\\0]/g, (mark) => encodeURIComponent(mark));

const linkTo = (url: string, label: string, kind: TextKind): string => {
  const target = encodeAddress(url);
  const clean = cleanerOf(kind);
  if (kind === 'markdown') {
    const closed = target.replaceAll('(', '%28').replaceAll(')', '%29');
    return `[${clean(label || url)}](${closed})`;
  }
  const escaped = target.replaceAll('&', '&amp;');
  return label === '' ? `<${escaped}>` : `<${escaped}|${clean(label).replace(/[\s|]+/g, ' ')}>`;
};

/** Filters that make marks of the platform. Only they turn data into a mark, and only checked values. */
export const chatFilters: readonly Filter[] = [
  mention,
  {
    name: 'channel',
    takes: [],
    last: true,
    apply: textFilter((id, _, environment) => {
      if (!isMarked(environment.kind)) return id;
      if (!/^[CGD][A-Z0-9]{1,30}$/.test(id)) return unformatted(id, 'the id of a channel', environment);
      return new SafeText(`<#${id}>`);
    }),
    meaning: 'links the channel of this id',
    example: '{{channel_id | channel}}',
  },
  {
    name: 'link',
    takes: [optional(text)],
    last: true,
    apply: textFilter((url, [label = ''], environment) => {
      if (!isMarked(environment.kind)) return url;
      if (!address.test(url) || url.length > 3000) return unformatted(url, 'a web address', environment);
      return new SafeText(linkTo(url, String(label), environment.kind));
    }),
    meaning: 'links this address, shown as the label',
    example: '{{order.url | link:"Open the order"}}',
  },
];
