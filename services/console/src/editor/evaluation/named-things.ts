import { maxRows } from '../../api/all-pages.ts';
import { isList, isObject } from '../../json.ts';
import { below } from '../document/pointer.ts';
import type { Finding } from './findings.ts';

/** A modal or a destination that the use of an element can name. */
interface Thing {
  readonly id: string;
  readonly name: string;
  /** Whether a version of a modal is live; destinations have no versions. */
  readonly isLive: boolean;
}

/** The things of the environment by kind; a kind is undefined unless all of them are known. */
export interface Things {
  readonly modal: readonly Thing[] | undefined;
  readonly destination: readonly Thing[] | undefined;
}

type Kind = keyof Things;

/** The action that names a thing, and the key that holds its id. */
const naming: Readonly<Record<string, { kind: Kind; key: string }>> = {
  open_modal: { kind: 'modal', key: 'modal_id' },
  call_destination: { kind: 'destination', key: 'destination_id' },
};

/** Other texts name nothing anywhere, which the engine says; a placeholder is read from the data of a click. */
const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const findingOf = (kind: Kind, id: string, pointer: string, known: readonly Thing[]): Finding | undefined => {
  const thing = known.find((one) => one.id === id.toLowerCase());
  if (thing === undefined) {
    return {
      kind: 'problem',
      pointer,
      message: `The ${kind} that is chosen here is not in this environment, so the element would do nothing.`,
      hint: 'Choose another one.',
    };
  }
  if (thing.isLive) return undefined;
  const message = `No version of the ${kind} \`${thing.name}\` is live yet, so the element opens nothing.`;
  return { kind: 'warning', pointer, message };
};

const findingOfAction = (action: unknown, pointer: string, things: Things): Finding | undefined => {
  if (!isObject(action) || typeof action.type !== 'string' || !Object.hasOwn(naming, action.type))
    return undefined;
  const named = naming[action.type];
  const id = named && action[named.key];
  const known = named && things[named.kind];
  if (!named || !known || typeof id !== 'string' || !idForm.test(id)) return undefined;
  return findingOf(named.kind, id, below(pointer, named.key), known);
};

/**
 * What is wrong with the modals and destinations that elements name by id. The engine cannot know it: they are
 * resources of the service, which refuses to save a version that names one of another environment or none.
 */
export const findingsOfNamed = (value: unknown, things: Things, pointer: string): Finding[] => {
  if (isList(value)) {
    return value.flatMap((item, place) => findingsOfNamed(item, things, below(pointer, place)));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = below(pointer, key);
    const own =
      key === 'interaction' && isList(inner)
        ? inner.map((action, place) => findingOfAction(action, below(at, place), things))
        : [];
    return [...own.filter((it) => it !== undefined), ...findingsOfNamed(inner, things, at)];
  });
};

/** Whether a list has all its items: an id that is missing in a part of a list may exist. */
export const isWhole = (list: readonly unknown[] | undefined): boolean =>
  list !== undefined && list.length < maxRows;

/** Whether blocks name a modal or a destination at all. */
export const namesAny = (blocks: readonly unknown[], key: 'modal_id' | 'destination_id'): boolean =>
  JSON.stringify(blocks).includes(`"${key}"`);
