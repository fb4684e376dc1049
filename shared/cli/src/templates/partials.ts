import { join } from 'node:path';
import {
  type Block,
  type Expanded,
  expandPartials,
  type FindPartial,
  isList,
  partialsIn,
  usesPartials,
  withoutVersions,
} from '@stanza/engine';
import { hashOf, isObject } from '../files/canonical.ts';
import type { Project } from '../files/project.ts';
import { readJson } from '../files/read-json.ts';
import { blocksIn, type LocalPartials } from './content.ts';

/** Reads the partials that blocks name, and those that these name, as far as the project has them. */
export const readPartials = async (project: Project, blocks: readonly Block[]): Promise<LocalPartials> => {
  const found = new Map<string, readonly Block[]>();
  if (!project.kinds.includes('partials')) return found;
  const waiting = partialsIn(blocks);
  for (let named = waiting.pop(); named; named = waiting.pop()) {
    if (named.version !== undefined || found.has(named.key)) continue;
    const read = await readJson(join(project.folder, 'partials', `${named.key}.json`));
    const own = isObject(read) ? blocksIn(read.blocks) : undefined;
    if (!own) continue;
    found.set(named.key, own);
    waiting.push(...partialsIn(own));
  }
  return found;
};

const nameOf = (key: string, version: unknown): string => `${key} ${version}`;

/** The blocks that a version holds of partials, by their keys and versions. */
const heldIn = (
  value: unknown,
  found = new Map<string, readonly Block[]>(),
): Map<string, readonly Block[]> => {
  if (isList(value)) for (const one of value) heldIn(one, found);
  if (!isObject(value)) return found;
  const { partial, children } = value;
  const held = isObject(partial) ? blocksIn(children) : undefined;
  if (held && isObject(partial)) found.set(nameOf(String(partial.key), partial.version), held);
  for (const inner of Object.values(value)) heldIn(inner, found);
  return found;
};

/** Puts the blocks of files in place of the partials that a template names, so that it compiles without a server. */
export const withPartials = (blocks: readonly Block[], partials: LocalPartials): Expanded => {
  if (!usesPartials(blocks)) return { blocks: [...blocks], problems: [] };
  const held = heldIn(blocks);
  const finder =
    (around: readonly string[]): FindPartial =>
    (key, version) => {
      const before = held.get(nameOf(key, version));
      if (version !== undefined && before) return { version, blocks: before };
      const own = partials.get(key);
      if (version !== undefined || !own || around.includes(key))
        return {
          rule: 'partial.unknown',
          message: `No file has the partial \`${key}\`${version === undefined ? '' : ` in version ${version}`}.`,
          hint: 'List partials in `kinds` of stanza.json, and pull.',
        };
      return { version: 1, blocks: expandPartials(own, finder([...around, key]), key).blocks };
    };
  return expandPartials(blocks, finder([]));
};

/**
 * Blocks as they are saved: a partial keeps the version that the API's own version holds of it, and any other becomes
 * the live one, as versions are numbered again in each environment.
 */
export const asSaved = (blocks: readonly Block[], there: readonly Block[]): Block[] => {
  const held = heldIn(there);
  const stale = [...heldIn(blocks)].filter(([name, own]) => hashOf(held.get(name) ?? null) !== hashOf(own));
  const keys = new Set(stale.map(([name]) => name.split(' ')[0] ?? ''));
  return [...keys].reduce<Block[]>((all, key) => withoutVersions(all, key), [...blocks]);
};
