import type { JsonObject } from '../../json.ts';
import type { Description, ShapeDescription } from '../document/schema.ts';

type Key = readonly [name: string, description: Description];

/** Keys that have their own place: the rows of the outline, or the type that the title names. */
const elsewhere = new Set(['type', 'child_blocks', 'directive', 'children', 'else', 'empty', 'condition']);
/** What programs know a block by. */
const machineKeys = new Set(['id', 'block_id', 'action_id']);
/** The key that most people look for in an element, so that it needs no search. */
export const firstKey = 'interaction';

const isMachine = ([name]: readonly [string, unknown]): boolean => machineKeys.has(name);

/** The keys of an object by where the form has them: those that are there or needed, and those that may be added. */
export const keysOf = (shape: ShapeDescription, value: JsonObject) => {
  const known: Key[] = Object.entries(shape.fields).filter(
    ([name, { kind }]) => kind !== 'type' && !elsewhere.has(name),
  );
  const shown = known.filter(([name, field]) => field.required || Object.hasOwn(value, name));
  const absent = known.filter((entry) => !shown.includes(entry));
  return {
    shown: shown.filter((entry) => !isMachine(entry)),
    advanced: shown.filter(isMachine),
    absent: absent.toSorted((one, other) => Number(isMachine(one)) - Number(isMachine(other))),
    unknown: Object.entries(value).filter(
      // The service gives an id to every block, also to those whose form has no field for it.
      ([name]) => name !== 'id' && !elsewhere.has(name) && !Object.hasOwn(shape.fields, name),
    ),
  };
};
