import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from '@stanza/runtime';
import express, { type Request, type Router } from 'express';
import { escapeMarkup } from './answers.ts';

/** Where people and programs reach the gateway: as the operator says, else as the request has it. */
export const addressOf = (request: Request, origin: string | undefined): string =>
  origin ?? `${request.protocol}://${request.get('host')}`;

/** What the build of this service packs: the SDKs and the command of this version. */
const buildFolder = join(import.meta.dirname, '../../dist/downloads');

/** A file that programs install. */
interface Download {
  readonly name: string;
  readonly sha256: string;
}

const readDownloads = (folder: string): Download[] =>
  (existsSync(folder) ? readdirSync(folder) : []).sort().map((name) => ({
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }));

/** The line that installs a file. */
const lineFor = (name: string, address: string): string => {
  if (name.endsWith('.whl'))
    return `pip install --no-index --find-links ${address}/ ${name.split('-')[0]?.replace('_', '-')}`;
  return `npm install ${name.includes('cli') ? '--global ' : ''}${address}/${name}`;
};

/** The page is also an index of links for pip, which checks the digest in them. */
const pageOf = (downloads: readonly Download[], address: string): string => {
  const entries = downloads.map(
    ({ name, sha256 }) => `<dt><a href="${name}#sha256=${sha256}">${name}</a></dt>
<dd><pre>${escapeMarkup(lineFor(name, address))}</pre>SHA-256 <code>${sha256}</code></dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Downloads · Stanza</title></head>
<body>
<h1>The SDKs and the command of Stanza ${productVersion}</h1>
<p>A gateway has the packages of its own version alone: for a build that is repeated, keep the file beside your code.</p>
<dl>
${entries.join('\n')}
</dl>
</body>
</html>
`;
};

/** Serves the packages, and at the bare path a page with their digests and the lines that install them. */
export const downloads = (origin: string | undefined, folder = buildFolder): Router => {
  const all = readDownloads(folder);
  const router = express.Router();
  router.get('/', (request: Request, response) => {
    const address = `${addressOf(request, origin)}${request.baseUrl}`;
    response.set({
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-cache',
    });
    response.type('html').send(pageOf(all, address));
  });
  router.use(
    express.static(folder, {
      index: false,
      redirect: false,
      setHeaders: (response) => {
        response.setHeader('Cache-Control', 'no-cache');
        response.setHeader('Content-Type', 'application/octet-stream');
      },
    }),
  );
  return router;
};
