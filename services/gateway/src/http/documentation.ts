import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { type BuiltFile, pathsOfBuild, readBuiltFile, sendBuiltFile } from './built-files.ts';
import { explorer } from './explorer.ts';
import { unbuiltPages } from './unbuilt-pages.ts';

/** Where `npm run docs:site` puts the site, in an image as in a checkout. */
const siteFolder = join(import.meta.dirname, '../../../../docs/site/dist/site');

/** The pages that it is built from, in a checkout. */
const sourceFolder = join(import.meta.dirname, '../../../../docs');

/** Bytes of the site in memory; all of it takes three times as many. */
const maxBytes = 8 * 1024 * 1024;

/** Every file is the gateway's own. The marks in code have their colours in attributes, which no script can be. */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vue',
].join('; ');

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    // No file has such a name.
    return path;
  }
};

/** Serves the built site: a page under its bare name, what does not exist with the site's own page for that. */
const site = (folder: string): Router => {
  const paths = new Set(pathsOfBuild(folder));
  const read = new LRUCache<string, BuiltFile>({
    maxSize: maxBytes,
    sizeCalculation: ({ plain, encoded }) =>
      [...encoded.values()].reduce((sum, { length }) => sum + length, plain.length + 1),
    fetchMethod: (path) => readBuiltFile(join(folder, path)),
  });
  const router = Router();
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next('router');
    const asked = decoded(request.path.slice(1));
    const names = asked === '' || asked.endsWith('/') ? [`${asked}index.html`] : [asked, `${asked}.html`];
    const found = names.find((name) => paths.has(name));
    const answer = (file: BuiltFile | undefined): void => {
      if (file === undefined) next('router');
      else if (found === undefined) response.status(404).type(file.type).send(file.plain);
      else sendBuiltFile(request, response, found, file);
    };
    response.set('Content-Security-Policy', sitePolicy);
    return void read.fetch(found ?? '404.html').then(answer, next);
  });
  return router;
};

/** The documentation, with the explorer of the API below it. */
export const documentation = (folder = siteFolder, sources = sourceFolder): Router => {
  const router = Router({ strict: true });
  // Both are folders to a browser, whose links begin below them.
  for (const path of ['/', '/explorer']) {
    router.get(path, (request, response, next) => {
      const [asked = ''] = request.originalUrl.split('?');
      if (asked.endsWith('/')) next();
      else response.redirect(302, `${asked}/`);
    });
  }
  router.use('/explorer', explorer());
  // The explorer has no other pages, and the site none below it.
  router.use('/explorer', (_request, _response, next) => next('router'));
  router.use(existsSync(join(folder, 'index.html')) ? site(folder) : unbuiltPages(sources));
  return router;
};
