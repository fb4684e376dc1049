import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodes, errorTable } from '@stanza/contracts';
import { Router } from 'express';
import type { Marked } from 'marked';
import { escapeMarkup } from './answers.ts';

const style = `:root { color-scheme: light dark; font: 16px / 1.55 system-ui, sans-serif; }
body { max-width: 76ch; margin: 32px auto; padding: 0 20px; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 1.8em; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 6px 10px; border: 1px solid light-dark(#d9d5e3, #3a3846); text-align: start; vertical-align: top; overflow-wrap: normal; }
code, pre { font: 0.88em / 1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 12px; border-radius: 8px; background: light-dark(#f6f5f9, #1c1b22); }
a { color: light-dark(#5b4bdb, #a599ff); }`;

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Stanza</title>
<style>${style}</style></head>
<body>
${body}
</body>
</html>
`;

const contents = pageOf(
  'Documentation',
  `<h1>Documentation</h1>
<p>The site with its search is not built here: <code>npm run docs:site</code> builds it in a checkout, and an image has it. Until then each page is shown by itself.</p>
<ul>
<li><a href="README">All pages</a></li>
<li><a href="explorer/">The API, to read and to try</a></li>
<li><a href="errors">Error codes</a></li>
</ul>`,
);

// The link of an error leads to its section here too.
const errors = pageOf(
  'Error codes',
  `<h1>Error codes</h1>\n${errorCodes
    .map((code) => {
      const { status, meaning, advice } = errorTable[code];
      return `<h2 id="${code}">${code}</h2>\n<p>${status}: ${escapeMarkup(`${meaning} ${advice}`)}</p>`;
    })
    .join('\n')}`,
);

/** The names of the pages whose sources lie in a folder; an image has none. */
const pagesIn = (folder: string): Set<string> =>
  new Set(
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => file.endsWith('.md'))
          .map((file) => file.slice(0, -'.md'.length))
      : [],
  );

const styleHash = createHash('sha256').update(style).digest('base64');
const headers = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-cache',
};

const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Sections have their anchors, other pages their addresses here. What is not served, as pictures, is left out. */
const reader = async (pages: ReadonlySet<string>): Promise<Marked> => {
  // Only where the site is not built.
  const { Marked } = await import('marked');
  return new Marked({
    renderer: {
      heading({ depth, tokens, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const [, page = '', anchor = ''] = /^(?:([\w-]+)\.md)?(#[\w-]*)?$/.exec(href) ?? [];
        const isServed = page === '' ? anchor !== '' : pages.has(page);
        const address = /^https?:/.test(href) ? href : isServed ? `${page}${anchor}` : undefined;
        return address === undefined ? words : `<a href="${escapeMarkup(address)}">${words}</a>`;
      },
      image: ({ text }) => escapeMarkup(text),
      html: () => '',
    },
  });
};

/**
 * What a gateway without the built site has in its place: how to build it, the explorer, the error codes, and each page
 * of `sources`, to which the console leads.
 */
export const unbuiltPages = (sources: string): Router => {
  const router = Router();
  for (const [path, page] of [
    ['/', contents],
    ['/errors', errors],
  ] as const) {
    router.get(path, (_request, response) => {
      response.set(headers).type('html').send(page);
    });
  }
  const pages = pagesIn(sources);
  let reading: Promise<Marked> | undefined;
  router.get('/:page', async ({ params: { page } }, response, next) => {
    if (!pages.has(page)) return next('router');
    reading ??= reader(pages);
    const [marked, text] = await Promise.all([reading, readFile(join(sources, `${page}.md`), 'utf8')]);
    const title = /^# (.+)$/m.exec(text)?.[1] ?? page;
    response
      .set(headers)
      .type('html')
      .send(pageOf(escapeMarkup(title), await marked.parse(text)));
  });
  return router;
};
