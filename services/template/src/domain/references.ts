import type { Block, UnmappedReference } from '@stanza/contracts';
import { isList, isObject, pointerStep } from '@stanza/engine';

/** A kind of resource that the interactions of a message name by id. */
export type ReferenceKind = Exclude<UnmappedReference['kind'], 'queue'>;

/** A place of a message that names a modal or a destination. */
export interface Reference {
  kind: ReferenceKind;
  id: string;
  /** JSON pointer into the blocks. */
  pointer: string;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The action that names a resource, and the key that holds its id. */
const naming: Readonly<Record<string, { kind: ReferenceKind; key: string }>> = {
  open_modal: { kind: 'modal', key: 'modal_id' },
  call_destination: { kind: 'destination', key: 'destination_id' },
};

/** Whether an id can be one of a resource; others name nothing in any environment. */
export const isResourceId = (id: string): boolean => uuidForm.test(id);

/** Gives the id in place of another one; an id that data fills in stays as it is. */
export type Replace = (reference: Reference) => string;

const replacedAction = (action: unknown, pointer: string, replace: Replace): unknown => {
  if (!isObject(action) || typeof action.type !== 'string' || !Object.hasOwn(naming, action.type))
    return action;
  const named = naming[action.type];
  const id = named && action[named.key];
  if (!named || typeof id !== 'string' || id.includes('{{')) return action;
  const at = pointer + pointerStep(named.key);
  const reference = { kind: named.kind, id: isResourceId(id) ? id.toLowerCase() : id, pointer: at };
  return { ...action, [named.key]: replace(reference) };
};

const replacedIn = (value: unknown, pointer: string, replace: Replace): unknown => {
  if (isList(value)) {
    return value.map((item, index) => replacedIn(item, pointer + pointerStep(index), replace));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const at = pointer + pointerStep(key);
      const named =
        key === 'interaction' && isList(inner)
          ? inner.map((action, index) => replacedAction(action, at + pointerStep(index), replace))
          : inner;
      return [key, replacedIn(named, at, replace)];
    }),
  );
};

const withNamed = (blocks: readonly Block[], replace: Replace): Block[] =>
  blocks.map((block, index) => ({
    ...block,
    ...Object(replacedIn(block, `/blocks${pointerStep(index)}`, replace)),
  }));

/** Blocks that name other modals and destinations. */
export const withReferences = (blocks: readonly Block[], replace: Replace): Block[] =>
  withNamed(blocks, (reference) => (isResourceId(reference.id) ? replace(reference) : reference.id));

/** The places of blocks that name modals and destinations, by ids or by what is none. */
export const namedIn = (blocks: readonly Block[]): Reference[] => {
  const found: Reference[] = [];
  withNamed(blocks, (reference) => {
    found.push(reference);
    return reference.id;
  });
  return found;
};

/** The places of blocks that name modals and destinations by id. */
export const referencesIn = (blocks: readonly Block[]): Reference[] =>
  namedIn(blocks).filter(({ id }) => isResourceId(id));
