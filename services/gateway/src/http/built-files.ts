import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { entityTag, namesTag } from '@stanza/contracts';
import type { Request, Response } from 'express';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of a build of pages. */
export interface BuiltFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/** Files whose name holds a digest of their content never change. */
export const isHashed = (path: string): boolean => path.startsWith('assets/');

/** A file of this path with this content, not compressed. */
export const builtFile = (path: string, plain: Buffer): BuiltFile => ({
  type: types[extname(path)] ?? 'application/octet-stream',
  etag: entityTag(plain),
  plain,
  encoded: new Map(),
});

/** Reads a file of a build, with what was compressed beforehand. */
export const readBuiltFile = async (path: string): Promise<BuiltFile> => {
  const encoded = encodings
    .filter(([, ending]) => existsSync(`${path}${ending}`))
    .map(async ([name, ending]) => [name, await readFile(`${path}${ending}`)] as const);
  return { ...builtFile(path, await readFile(path)), encoded: new Map(await Promise.all(encoded)) };
};

/** The paths of a build, below its folder; those compressed beforehand belong to their originals. */
export const pathsOfBuild = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** The encoding to send: the smallest that the browser takes. */
const chosen = ({ encoded }: BuiltFile, request: Request): string | undefined =>
  encodings.map(([name]) => name).find((name) => encoded.has(name) && request.acceptsEncodings(name));

/** Sends a file: for ever where its name holds a digest, else to be asked for again. */
export const sendBuiltFile = (request: Request, response: Response, path: string, file: BuiltFile): void => {
  response.set({
    'Cache-Control': isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  });
  if (namesTag(request.get('if-none-match') ?? '', file.etag)) return void response.status(304).end();
  const encoding = chosen(file, request);
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  return void response.type(file.type).send((encoding && file.encoded.get(encoding)) || file.plain);
};
