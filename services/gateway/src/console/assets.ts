import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Router } from 'express';
import {
  type BuiltFile,
  builtFile,
  isHashed,
  pathsOfBuild,
  readBuiltFile,
  sendBuiltFile,
} from '../http/built-files.ts';

/** Nothing comes from elsewhere but images that messages show, and nothing that is not a file of the console runs. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types stanza-worker',
].join('; ');

/** The files of a build. */
export type Build = ReadonlyMap<string, BuiltFile>;

/** Reads the build of the console from a folder; undefined where the folder has no page. */
export const readConsole = async (folder: string): Promise<Build | undefined> => {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = pathsOfBuild(folder).map(
    async (path) => [path, await readBuiltFile(join(folder, path))] as const,
  );
  return new Map(await Promise.all(files));
};

/** The files whose name holds a digest, by path: those that another version's page may ask for. */
export const hashedFiles = (build: Build): ReadonlyMap<string, Buffer> =>
  new Map([...build].flatMap(([path, { plain }]) => (isHashed(path) ? [[path, plain] as const] : [])));

/** Finds hashed files of other versions. */
export type FindElsewhere = (path: string) => Promise<Buffer | undefined>;

/**
 * Serves the console's build from memory: hashed files for ever, also those of other versions, the page again each
 * time. Every other path is a place inside the console, which the page itself finds.
 */
export const consoleAssets = (assets: Build, findElsewhere: FindElsewhere): Router => {
  const router = express.Router();
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next('router');
    response.set('Content-Security-Policy', consolePolicy);
    const path = request.path.slice(1);
    const asset = assets.get(path);
    if (asset !== undefined && path !== 'index.html') return sendBuiltFile(request, response, path, asset);
    if (isHashed(path)) {
      const answer = (plain: Buffer | undefined): void => {
        if (plain === undefined) response.status(404).type('txt').send('No version has this file.\n');
        else sendBuiltFile(request, response, path, builtFile(path, plain));
      };
      return void findElsewhere(path).then(answer, next);
    }
    const page = assets.get('index.html');
    return page === undefined ? next('router') : sendBuiltFile(request, response, 'index.html', page);
  });
  return router;
};
