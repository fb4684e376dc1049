import { actionsOfElements, listNameOf, type MessageActions } from '../messages/message-actions.ts';

type JsonObject = Record<string, unknown>;

interface Ids {
  blocks: Set<string>;
  actions: Set<string>;
}

const collect = (value: unknown, ids: Ids): Ids => {
  if (Array.isArray(value)) for (const entry of value) collect(entry, ids);
  else if (typeof value === 'object' && value !== null) {
    if ('block_id' in value && typeof value.block_id === 'string') ids.blocks.add(value.block_id);
    if ('action_id' in value && typeof value.action_id === 'string') ids.actions.add(value.action_id);
    for (const inner of Object.values(value)) collect(inner, ids);
  }
  return ids;
};

/** Every `block_id` and `action_id` inside blocks. */
export const idsIn = (blocks: unknown): Ids => collect(blocks, { blocks: new Set(), actions: new Set() });

/** New names for those that others have: the first number after each that makes it another. */
const renamed = (own: Iterable<string>, others: ReadonlySet<string>, separator: string) => {
  const names = new Map<string, string>();
  const taken = new Set([...own, ...others]);
  for (const name of own) {
    if (!others.has(name)) continue;
    let free = name;
    for (let number = 1; taken.has(free); number += 1) free = `${name}${separator}${number}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
};

type Names = ReadonlyMap<string, string>;

const withIds = (value: unknown, blocks: Names, actions: Names): unknown => {
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, blocks, actions));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const names = key === 'block_id' ? blocks : key === 'action_id' ? actions : undefined;
    if (names && typeof inner === 'string') return [key, names.get(inner) ?? inner];
    return [key, withIds(inner, blocks, actions)];
  });
  return Object.fromEntries(entries);
};

type Actions = MessageActions['actions'];

/** Names for lists of actions: that of a list which stands already and is the same, or one that no other has. */
const listNames = (added: Actions, standing: Actions): Names => {
  const byText = new Map(Object.entries(standing).map(([name, list]) => [JSON.stringify(list), name]));
  const known = Object.entries(added).flatMap(([name, list]) => {
    const same = byText.get(JSON.stringify(list));
    return same === undefined ? [] : [[name, same] as const];
  });
  const names = new Map(known);
  const others = Object.keys(added).filter((name) => !names.has(name));
  return new Map([...names, ...renamed(others, new Set(Object.keys(standing)), '#')]);
};

type Elements = NonNullable<MessageActions['context']['elements']>;

/** Added blocks and their actions. */
export interface Added extends MessageActions {
  blocks: JsonObject[];
}

/**
 * Gives added blocks and elements other ids than those of the blocks that stay, and their lists of actions other names: the
 * platform refuses a block that stands twice, and an element is found by its id alone.
 */
export const amongOthers = <A extends Added>(added: A, staying: JsonObject[], before: MessageActions): A => {
  const [own, others] = [idsIn(added.blocks), idsIn(staying)];
  const standing = actionsOfElements(before, others.actions).actions;
  const blockIds = renamed(own.blocks, others.blocks, '_');
  const actionIds = renamed(own.actions, new Set([...others.actions, ...Object.keys(standing)]), '_');
  const lists = listNames(added.actions, standing);
  const elements: Elements = {};
  for (const id of own.actions) {
    const list = listNameOf(added, id);
    if (list === undefined) continue;
    const { of: _, ...kept } = added.context.elements?.[id] ?? {};
    const [newId, of] = [actionIds.get(id) ?? id, lists.get(list) ?? list];
    const entry = newId === of ? kept : { ...kept, of };
    if (Object.keys(entry).length > 0) elements[newId] = entry;
  }
  const actions = Object.entries(added.actions).map(([name, list]) => [lists.get(name) ?? name, list]);
  const blocks = added.blocks.map((block) => withIds(block, blockIds, actionIds));
  return {
    ...added,
    blocks,
    actions: Object.fromEntries(actions),
    context: { ...added.context, ...(Object.keys(elements).length > 0 && { elements }) },
  };
};
