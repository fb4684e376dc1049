import { isPartialMark } from '../directives/with.ts';
import { withoutGeneratedIds } from '../generated-ids.ts';
import { fingerprint, isList, isObject, type JsonObject, pointerStep } from '../json.ts';
import { limits } from '../limits.ts';
import { hintNearest } from '../parse/nearest.ts';
import { overLimit, type PartialEntry } from '../parse/parse-context.ts';
import type { Block } from '../program/fill-ids.ts';
import { type Program, parseTemplate } from '../program/parse-template.ts';
import type { Problem } from '../run/problem.ts';
import { withEntries } from './entries.ts';

/** A version of a partial, or why it cannot be used. */
export type FoundPartial =
  | { readonly version: number; readonly blocks: readonly Block[] }
  | Pick<Problem, 'rule' | 'message' | 'hint'>;

/** Finds a version of a partial, the live one where none is named. */
export type FindPartial = (key: string, version: number | undefined) => FoundPartial;

/** Blocks with the blocks of their partials in them, or all problems of the entries that name partials. */
export interface Expanded {
  readonly blocks: Block[];
  readonly problems: Problem[];
}

/** A partial that can be used, and what using it takes. */
interface Known {
  readonly version: number;
  readonly blocks: readonly Block[];
  /** The names that it reads, each with whether it must be given. */
  readonly names: ReadonlyMap<string, boolean>;
  /** The partials inside it, and how many of them stand inside one another. */
  readonly inside: ReadonlySet<string>;
  readonly depth: number;
  /** The same for the same blocks. */
  readonly content: string;
}

/** A version of a partial that was found, and the bytes that each use of it brings. */
interface Found {
  readonly version: number;
  readonly blocks: readonly Block[];
  readonly bytes: number;
  /** Made once a use of it fits. */
  known?: Known;
}

const keysOfUse = ['type', 'directive', 'id', 'partial', 'version', 'with'];

/** The places of entries around a place. */
const placesAround = (pointer: string): string[] =>
  [...pointer.matchAll(/\/children\//g)].map(({ index }) => pointer.slice(0, index));

/** The number of partials inside one another. */
const depthOf = (partials: readonly PartialEntry[]): number => {
  const places = new Set(partials.map(({ pointer }) => pointer));
  const around = (pointer: string) => placesAround(pointer).filter((place) => places.has(place));
  return partials.reduce((most, { pointer }) => Math.max(most, 1 + around(pointer).length), 0);
};

const namesOf = (reads: Program['reads']): Map<string, boolean> => {
  const names = new Map<string, boolean>();
  for (const { steps, required } of reads) {
    const [name] = steps;
    if (typeof name === 'string') names.set(name, required || names.get(name) === true);
  }
  return names;
};

const knownOf = (version: number, blocks: readonly Block[]): Known => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  const { reads, partials } = parsed.ok ? parsed.program : parsed;
  return {
    version,
    blocks,
    names: namesOf(reads),
    inside: new Set(partials.map(({ key }) => key)),
    depth: depthOf(partials),
    content: fingerprint(withoutGeneratedIds(blocks)),
  };
};

const bytesOf = (blocks: readonly Block[]): number => new TextEncoder().encode(JSON.stringify(blocks)).length;

/** Problems of a kind that one entry reports at most: each asks for the nearest of all known names. */
const maxOfEntry = 20;

/** Replaces the entries that name partials, and collects what is wrong with them. */
class Expansion {
  readonly problems: Problem[] = [];
  readonly #found = new Map<string, Found | Pick<Problem, 'rule' | 'message' | 'hint'>>();
  readonly #find: FindPartial;
  readonly #self: string | undefined;
  #bytes = 0;

  constructor(find: FindPartial, self: string | undefined) {
    this.#find = find;
    this.#self = self;
  }

  /** More would cost work without end, and change nothing: the blocks are refused. */
  get #isOver(): boolean {
    return this.#bytes > limits['partial.bytes'].max || this.problems.length >= limits['engine.problems'].max;
  }

  entry(entry: JsonObject, pointer: string): JsonObject {
    if (this.#isOver) return entry;
    const before = this.problems.length;
    const mark = isPartialMark(entry.partial) ? entry.partial : undefined;
    const use = mark ? { ...mark, given: this.#givenOf(entry, pointer) } : this.#useOf(entry, pointer);
    const known = use && this.#knownOf(use.key, use.version, pointer);
    if (!use || !known) return entry;
    this.#checkPlace(use.key, known, pointer);
    this.#checkNames(use.key, known, use.given, pointer);
    if (mark) this.#checkChildren(mark.key, known, entry, pointer);
    if (this.problems.length > before) return entry;
    return {
      type: 'directive',
      directive: '#with',
      ...(entry.id !== undefined && { id: entry.id }),
      with: use.given,
      partial: { key: use.key, version: known.version },
      children: known.blocks,
    };
  }

  #report(pointer: string, problem: Omit<Problem, 'pointer'>): undefined {
    this.problems.push({ pointer, ...problem });
  }

  #givenOf({ with: given = {} }: JsonObject, pointer: string): JsonObject {
    if (isObject(given)) return given;
    this.#report(`${pointer}/with`, { rule: 'value.type', message: 'Expected an object of names.' });
    return {};
  }

  #useOf(entry: JsonObject, pointer: string) {
    const unknown = Object.keys(entry).filter((it) => !keysOfUse.includes(it));
    for (const key of unknown.slice(0, maxOfEntry)) {
      const message = `\`#use\` has no key \`${key.slice(0, 80)}\`.`;
      this.#report(pointer + pointerStep(key), {
        rule: 'key.unknown',
        message,
        ...hintNearest(key, keysOfUse),
      });
    }
    const { partial: key, version } = entry;
    if (typeof key !== 'string') {
      const message = '`#use` needs the key `partial`: the key of a partial.';
      return this.#report(pointer, { rule: 'required', message });
    }
    if (version !== undefined && !(Number.isSafeInteger(version) && Number(version) > 0)) {
      const message = 'Expected the number of a version, from 1.';
      return this.#report(`${pointer}/version`, { rule: 'value.type', message });
    }
    return {
      key,
      version: version === undefined ? undefined : Number(version),
      given: this.#givenOf(entry, pointer),
    };
  }

  #knownOf(key: string, version: number | undefined, pointer: string): Known | undefined {
    if (key === this.#self) return this.#reportSelf(key, pointer);
    const name = `${key} ${version}`;
    let found = this.#found.get(name);
    if (found === undefined) {
      const asked = this.#find(key, version);
      found = 'rule' in asked ? asked : { ...asked, bytes: bytesOf(asked.blocks) };
      this.#found.set(name, found);
    }
    if ('rule' in found) return this.#report(`${pointer}/partial`, found);
    this.#bytes += found.bytes;
    if (this.#bytes > limits['partial.bytes'].max) {
      this.problems.push(overLimit(`${pointer}/partial`, 'partial.bytes', this.#bytes));
      return undefined;
    }
    found.known ??= knownOf(found.version, found.blocks);
    return found.known;
  }

  #reportSelf(key: string, pointer: string): undefined {
    return this.#report(`${pointer}/partial`, {
      rule: 'partial.self',
      message: `The partial \`${key}\` would be a part of itself.`,
      hint: 'Put what both need into a third partial.',
    });
  }

  #checkPlace(key: string, known: Known, pointer: string): void {
    if (this.#self !== undefined && known.inside.has(this.#self)) this.#reportSelf(key, pointer);
    const { max } = limits['partial.depth'];
    const depth = 1 + known.depth + (this.#self === undefined ? 0 : 1);
    if (depth > max) {
      const { message: _, ...limit } = overLimit(`${pointer}/partial`, 'partial.depth', depth);
      const message = `Partials stand inside partials ${max} levels deep at most; with \`${key}\` there are ${depth}.`;
      this.problems.push({ ...limit, rule: 'partial.depth', message });
    }
  }

  #checkNames(key: string, { names }: Known, given: JsonObject, pointer: string): void {
    const known = [...names.keys()];
    const unread = Object.keys(given).filter((it) => !names.has(it));
    for (const name of unread.slice(0, maxOfEntry)) {
      this.#report(`${pointer}/with${pointerStep(name)}`, {
        rule: 'with.not_read',
        message: `The partial \`${key}\` does not read \`${name.slice(0, 80)}\`.`,
        ...(known.length === 0 ? { hint: 'It reads no names: leave `with` out.' } : hintNearest(name, known)),
      });
    }
    const missing = known.filter((name) => names.get(name) === true && !Object.hasOwn(given, name));
    for (const name of missing.slice(0, maxOfEntry)) {
      this.#report(pointer, {
        rule: 'with.not_given',
        message: `The partial \`${key}\` reads \`${name}\`, which is not given.`,
        hint: `Add it to \`with\`: a path of this template, or {"value": …}.`,
      });
    }
  }

  /** A version that is saved once more comes with the blocks of its partials. */
  #checkChildren(key: string, { content, version }: Known, { children }: JsonObject, pointer: string): void {
    if (isList(children) && fingerprint(withoutGeneratedIds(children)) === content) return;
    this.#report(`${pointer}/children`, {
      rule: 'partial.changed',
      message: `These are not the blocks of version ${version} of the partial \`${key}\`.`,
      hint: 'Change the partial itself, or take the key `partial` away, and the blocks become those of the template.',
    });
  }
}

/**
 * Puts the blocks of partials in place of the entries that name them: each becomes a `#with` that gives the names, with
 * the partial's key and version. Such an entry of an earlier version keeps its version.
 *
 * @param self the key of the partial that the blocks are of, which they must not use
 */
export const expandPartials = (blocks: readonly Block[], find: FindPartial, self?: string): Expanded => {
  const expansion = new Expansion(find, self);
  const expanded = withEntries(blocks, (entry, pointer) => expansion.entry(entry, pointer));
  return { blocks: expanded, problems: expansion.problems };
};

/** The names that the blocks of a partial read, each with whether it must be given. */
export const namesRead = (blocks: readonly Block[]): ReadonlyMap<string, boolean> => knownOf(0, blocks).names;

/** What a partial must not read: its data are names, and it is used by what gives each of them a value. */
export const problemsOfPartial = (blocks: readonly Block[]): Problem[] => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) return [];
  return parsed.program.reads
    .filter(({ steps: [name] }) => typeof name !== 'string')
    .map(({ pointer }) => ({
      pointer,
      rule: 'partial.data',
      message: 'A partial reads names, and never its data as a whole.',
      hint: 'Give the value a name, which each template that uses the partial gives in `with`.',
    }));
};
