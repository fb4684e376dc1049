import { fitsMetadata } from '../interactions/metadata.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { limitOf } from '../limits.ts';
import { noteLeftOut } from '../run/leave-out.ts';
import type { Interaction, Run } from '../run/run.ts';
import type { ChatBlock } from './run-blocks.ts';

const collect = (value: unknown, found: Set<unknown>): void => {
  if (isList(value)) for (const entry of value) collect(entry, found);
  if (!isObject(value)) return;
  found.add(value);
  for (const inner of Object.values(value)) collect(inner, found);
};

/** Keys without which an object says nothing: without them it goes too. */
const needed = ['elements', 'child_blocks', 'element'];
/** One of these a card needs next to its actions. */
const shownOnCards = ['hero_image', 'title', 'body'];

const isEmptied = (before: unknown, after: unknown): boolean =>
  after === undefined || (isList(before) && before.length > 0 && isList(after) && after.length === 0);

/** A value without some elements, and without what is nothing without them. */
const without = (value: unknown, gone: ReadonlySet<unknown>): unknown => {
  if (gone.has(value)) return undefined;
  if (isList(value)) return value.map((entry) => without(entry, gone)).filter((it) => it !== undefined);
  return isObject(value) ? withoutIn(value, gone) : value;
};

const withoutIn = (value: JsonObject, gone: ReadonlySet<unknown>): unknown => {
  const kept: Record<string, unknown> = {};
  let lost = false;
  for (const [key, inner] of Object.entries(value)) {
    const after = without(inner, gone);
    if (!isEmptied(inner, after)) kept[key] = after;
    // A cell of a table keeps its column by what it shows elsewhere.
    else if (needed.includes(key)) return isObject(value.fallback) ? value.fallback : undefined;
    else lost = true;
  }
  if (lost && value.type === 'card' && !shownOnCards.some((key) => Object.hasOwn(kept, key)))
    return undefined;
  return kept;
};

/** The first this many of a list that fit; more of them never take less. */
const longestFit = (interactions: readonly Interaction[]): Interaction[] => {
  let [fits, tooMany] = [0, interactions.length + 1];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (fitsMetadata(interactions.slice(0, middle))) fits = middle;
    else tooMany = middle;
  }
  return interactions.slice(0, fits);
};

const isBlock = (value: unknown): value is ChatBlock => isObject(value) && typeof value.type === 'string';

/**
 * Leaves out elements whose interactions do not fit into the message: those beyond its metadata, and those that could
 * not be told apart. Their actions could not be found when they are used.
 */
export const fitInteractions = (blocks: readonly ChatBlock[], run: Run): ChatBlock[] => {
  const { interactions = [] } = run;
  if (interactions.length === 0) return [...blocks];
  const shown = new Set<unknown>();
  collect(blocks, shown);
  const present = interactions.filter(({ element }) => shown.has(element));
  const firstOf = new Map(present.toReversed().map((it) => [it.element.action_id, it]));
  const distinct = present.filter((it) => firstOf.get(it.element.action_id) === it);
  const fitting = longestFit(distinct);
  const kept = new Set(fitting);
  const gone = new Set(present.filter((it) => !kept.has(it)).map(({ element }) => element));
  const [repeated, beyond] = [present.length - distinct.length, distinct.length - fitting.length];
  const { max } = limitOf('interactivity.metadata_bytes');
  const told = (entries: number, pointer: string | undefined, reason: string) => {
    const story = `${entries} of ${present.length} elements with an interaction are left out: ${reason}`;
    if (entries > 0) noteLeftOut(run, { pointer: pointer ?? '', story, entries });
  };
  const again = present.find((it) => firstOf.get(it.element.action_id) !== it);
  told(repeated, again?.pointer, 'their `action_id` is that of another element with an interaction.');
  const story = `actions and what they read take at most ${max} bytes of a message (limit \`interactivity.metadata_bytes\`).`;
  told(beyond, distinct[fitting.length]?.pointer, story);
  run.interactions = fitting;
  if (gone.size === 0) return [...blocks];
  return blocks.map((block) => without(block, gone)).filter(isBlock);
};
