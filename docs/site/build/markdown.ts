import { addressOf, targetOf } from './paths.ts';

/** Where a path of the checkout stands on the site; undefined for what it does not have. */
export type Locate = (file: string) => string | undefined;

/** Locates the pages of the site, and the templates of the gallery on theirs. */
export const locator = (files: readonly string[], gallery: readonly string[]): Locate => {
  const addresses = new Map([
    ...gallery.map((slug) => [`shared/gallery/${slug}`, `/gallery#${slug}`] as const),
    ...files.map((file) => [file, addressOf(file)] as const),
  ]);
  return (file) => addresses.get(file) ?? addresses.get(`${file}/README.md`);
};

// A span of code is taken whole, so that what looks like a link in it stays; a label may have code in it.
const spanOrLink =
  /(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)|(?<sign>!?)\[(?<label>(?:[^[\]]|\[[^\]]*\])*)\]\((?<to>[^()\s]+)\)/g;

const image = /<img src="docs\/(images\/[^"]+)"[^>]*alt="([^"]*)"[^>]*>/g;

/** The prose of a page with links of the site; files of the checkout that are no page keep their name alone. */
const relinked = (prose: string, page: string, locate: Locate): string =>
  prose
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .replaceAll(image, '![$2](/$1)')
    .replaceAll(spanOrLink, (whole, ...rest) => {
      const { sign, label, to }: Record<string, string | undefined> = rest.at(-1);
      if (label === undefined || to === undefined || /^(https?:|mailto:|\/)/.test(to)) return whole;
      const { file, anchor } = targetOf(page, to);
      if (sign === '!') return `![${label}](/${file.replace(/^docs\//, '')})`;
      const address = locate(file);
      return address === undefined ? label : `[${label}](${address}${address.includes('#') ? '' : anchor})`;
    });

const fence = /^ *```\w*\n[\s\S]*?^ *```$/gm;

/** A page of the checkout as the site has it: what is code stays as it is. */
export const sitePage = (text: string, page: string, locate: Locate): string => {
  const codes = text.match(fence) ?? [];
  return text
    .split(fence)
    .map((prose, index) => relinked(prose, page, locate) + (codes[index] ?? ''))
    .join('');
};
