import { posix } from 'node:path';

/** Pages that lie outside of `docs/`, and pages whose file says too little, by their path on the site. */
const named: Readonly<Record<string, string>> = {
  'README.md': 'first-message',
  'shared/sdk/README.md': 'sdk-package',
  'shared/sdk-python/README.md': 'sdk-python',
  'deploy/sandbox/README.md': 'sandbox',
  'tests/bench/results.md': 'measurements',
};

/** Where a page stands on the site: `docs/errors.md` at `errors`, that of a folder at its `index`. */
export const siteFileOf = (file: string): string =>
  `${
    named[file] ??
    file
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/(^|\/)readme$/, '$1index')
  }.md`;

/** The address of a page below the base of the site: `/errors`, `/runbooks/`. */
export const addressOf = (file: string): string =>
  `/${siteFileOf(file)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '$1')}`;

/** What a link of a page leads to, as a path in the checkout, with its anchor. */
export const targetOf = (page: string, link: string): { file: string; anchor: string } => {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
  return { file, anchor: anchor === undefined ? '' : `#${anchor}` };
};
