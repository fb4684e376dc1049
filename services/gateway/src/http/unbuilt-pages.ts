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
  `<p>The pages are not built here: <code>npm run docs:site</code> builds them in a checkout, and an image has them.</p>
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

/** What a gateway without the built site has in its place: how to build it, the explorer, and the error codes. */
export const unbuiltPages = (): Router => {
  const router = Router();
  for (const [path, page] of [
    ['/', contents],
    ['/errors', errors],
  ] as const) {
    router.get(path, (_request, response) => {
      response.set({
        'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'Cache-Control': 'no-cache',
      });
      response.type('html').send(page);
    });
  }
  return router;
};
