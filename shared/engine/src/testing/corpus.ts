import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../json.ts';
import type { Surface } from '../parse/parse-context.ts';

/** A payload found in the wild. */
export interface Payload {
  readonly file: string;
  readonly surface: Surface;
  /** The limit that it breaches; none where it is valid. */
  readonly rule: string | undefined;
  readonly blocks: readonly unknown[];
}

/** The folder of payloads next to this checkout, or next to any folder around it; it is no part of the project. */
const findFolder = (): string | undefined => {
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) {
    const folder = join(at, 'shared', 'corpus');
    if (existsSync(join(folder, 'valid'))) return folder;
  }
  return undefined;
};

const read = (folder: string, file: string): Payload => {
  const payload: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  if (!isObject(payload) || !Array.isArray(payload.blocks)) throw new Error(`${file} holds no blocks`);
  return {
    file,
    surface: payload.surface === 'message' ? 'message' : 'view',
    rule: typeof payload.rule === 'string' ? payload.rule : undefined,
    blocks: payload.blocks,
  };
};

/** The payloads of a kind; none where the folder is not there. */
export const payloads = (kind: 'valid' | 'invalid'): readonly Payload[] => {
  const folder = findFolder();
  if (folder === undefined) return [];
  return readdirSync(join(folder, kind))
    .filter((file) => file.endsWith('.json'))
    .map((file) => read(join(folder, kind), file));
};
