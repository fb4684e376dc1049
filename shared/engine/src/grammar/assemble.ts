/** One key of an object that is to be put together: its value where no data changes it, else undefined. */
export interface Slot {
  readonly key: string;
  readonly value: unknown;
  readonly open: boolean;
}

type Built = Record<string, unknown>;

const valueAt = (slots: readonly Slot[], key: string): unknown =>
  slots.find((slot) => slot.key === key)?.value;

const isMadeOf = (slots: readonly Slot[], ...keys: readonly string[]): boolean =>
  slots.length === keys.length && keys.every((key) => slots.some((slot) => slot.key === key));

const baseOf = (slots: readonly Slot[]): Built =>
  Object.fromEntries(slots.map(({ key, value }) => [key, value]));

/*
 * A literal takes 15 ns where a copy with a computed key takes 50 and a loop over keys 70 to 180 (Node 24): the shapes
 * that make up most of a message are written out.
 */

/** Puts together objects in which one key is open. */
export const assemblerOfOne = (slots: readonly Slot[], open: string): ((value: unknown) => Built) => {
  const type = valueAt(slots, 'type');
  const block_id = valueAt(slots, 'block_id');
  if (open === 'text' && isMadeOf(slots, 'type', 'text')) return (text) => ({ type, text });
  if (open === 'text' && isMadeOf(slots, 'type', 'block_id', 'text'))
    return (text) => ({ type, block_id, text });
  if (open === 'elements' && isMadeOf(slots, 'type', 'elements')) return (elements) => ({ type, elements });
  if (open === 'elements' && isMadeOf(slots, 'type', 'block_id', 'elements')) {
    return (elements) => ({ type, block_id, elements });
  }
  const base = baseOf(slots);
  return (value) => {
    const built = { ...base };
    built[open] = value;
    return built;
  };
};

/** Puts together objects in which two keys are open: those of a loop have an id of their own each. */
export const assemblerOfTwo = (
  slots: readonly Slot[],
  first: string,
  second: string,
): ((one: unknown, other: unknown) => Built) => {
  const type = valueAt(slots, 'type');
  if (first === 'text' && second === 'block_id' && isMadeOf(slots, 'type', 'block_id', 'text')) {
    return (text, block_id) => ({ type, block_id, text });
  }
  if (first === 'block_id' && second === 'text' && isMadeOf(slots, 'type', 'block_id', 'text')) {
    return (block_id, text) => ({ type, block_id, text });
  }
  const base = baseOf(slots);
  return (one, other) => {
    const built = { ...base };
    built[first] = one;
    built[second] = other;
    return built;
  };
};

/** Puts together objects in which any number of keys are open; `values` stand in their order. */
export const assemblerOfMany = (slots: readonly Slot[]): ((values: readonly unknown[]) => Built) => {
  const keys = slots.map(({ key }) => key);
  const fixed = slots.map(({ value }) => value);
  const isOpen = slots.map(({ open }) => open);
  return (values) => {
    const built: Built = {};
    let next = 0;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index];
      if (key === undefined) continue;
      if (isOpen[index]) {
        built[key] = values[next];
        next += 1;
      } else {
        built[key] = fixed[index];
      }
    }
    return built;
  };
};
