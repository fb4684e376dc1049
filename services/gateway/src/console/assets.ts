import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import express, { type Request, type Response, type Router } from 'express';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

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

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of the console. */
export interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/** Files whose name holds a digest of their content never change. */
const hashed = /^assets\//;

const tagOf = (content: Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

const typeOf = (path: string): string => types[extname(path)] ?? 'application/octet-stream';

const readAsset = (path: string): Asset => {
  const plain = readFileSync(path);
  const encoded = encodings.flatMap(([name, ending]): [string, Buffer][] =>
    existsSync(`${path}${ending}`) ? [[name, readFileSync(`${path}${ending}`)]] : [],
  );
  return {
    type: typeOf(path),
    etag: tagOf(plain),
    plain,
    encoded: new Map(encoded),
  };
};

/** The files of a build by their path below it; those compressed beforehand belong to their originals. */
const readBuild = (folder: string): Map<string, Asset> => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [path.slice(folder.length + 1), readAsset(path)]));
};

/** The encoding to send: the smallest that the browser takes. */
const chosen = ({ encoded }: Asset, accepted: string | undefined): string | undefined =>
  encodings
    .map(([name]) => name)
    .find((name) => encoded.has(name) && new RegExp(`\\b${name}\\b`).test(accepted ?? ''));

const send = (request: Request, response: Response, asset: Asset, cache: string): void => {
  response.set({ 'Cache-Control': cache, ETag: asset.etag, Vary: 'Accept-Encoding' });
  if (request.get('if-none-match') === asset.etag) return void response.status(304).end();
  const encoding = chosen(asset, request.get('accept-encoding'));
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  return void response.type(asset.type).send((encoding && asset.encoded.get(encoding)) || asset.plain);
};

const forEver = 'public, max-age=31536000, immutable';

/** The files of a build. */
export type Build = ReadonlyMap<string, Asset>;

/** Reads the build of the console from a folder; undefined where the folder has no page. */
export const readConsole = (folder: string): Build | undefined =>
  existsSync(join(folder, 'index.html')) ? readBuild(folder) : undefined;

/** The files whose name holds a digest, by path: those that another version's page may ask for. */
export const hashedFiles = (build: Build): ReadonlyMap<string, Buffer> =>
  new Map([...build].flatMap(([path, { plain }]) => (hashed.test(path) ? [[path, plain] as const] : [])));

/** Finds hashed files of other versions. */
export type FindElsewhere = (path: string) => Promise<Buffer | undefined>;

/**
 * Serves the console's build from memory: hashed files for ever, also those of other versions, the page anew each time.
 * Every other path is a place inside the console, which the page itself finds.
 */
export const consoleAssets = (assets: Build, findElsewhere: FindElsewhere): Router => {
  const router = express.Router();
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next('router');
    response.set('Content-Security-Policy', consolePolicy);
    const path = request.path.slice(1);
    const asset = assets.get(path);
    if (asset !== undefined && path !== 'index.html') {
      return send(request, response, asset, hashed.test(path) ? forEver : 'no-cache');
    }
    if (hashed.test(path)) {
      const answer = (plain: Buffer | undefined): void => {
        if (plain === undefined) response.status(404).type('txt').send('No version has this file.\n');
        else
          send(
            request,
            response,
            { type: typeOf(path), etag: tagOf(plain), plain, encoded: new Map() },
            forEver,
          );
      };
      return void findElsewhere(path).then(answer, next);
    }
    const page = assets.get('index.html');
    return page === undefined ? next('router') : send(request, response, page, 'no-cache');
  });
  return router;
};
