import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodes, errorTable } from '@stanza/contracts';
import { Router } from 'express';
import { escapeMarkup } from './answers.ts';

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Stanza</title></head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;

const contents = pageOf(
  'Documentation',
  `<p>The pages are not built here: <code>npm run docs:site</code> builds them in a checkout, and an image has them. Until then a page is shown as its text.</p>
<ul>
<li><a href="explorer/">The API, to read and to try</a></li>
<li><a href="errors">Error codes</a></li>
</ul>`,
);

// The link of an error leads to its section here too.
const errors = pageOf(
  'Error codes',
  errorCodes
    .map((code) => {
      const { status, meaning, advice } = errorTable[code];
      return `<h2 id="${code}">${code}</h2>\n<p>${status}: ${escapeMarkup(`${meaning} ${advice}`)}</p>`;
    })
    .join('\n'),
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

const headers = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
};

/**
 * What a gateway without the built site has in its place: how to build it, the explorer, the error codes, and the text
 * of each page of `sources`, to which the console leads.
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
  router.get('/:page', async ({ params: { page } }, response, next) => {
    if (!pages.has(page)) return next('router');
    response
      .set(headers)
      .type('text/plain')
      .send(await readFile(join(sources, `${page}.md`), 'utf8'));
  });
  return router;
};
