type Json = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The data with every value that is no list and no object replaced, and every list by what `list` makes of it. */
const replaced = (
  data: unknown,
  change: (value: unknown) => unknown,
  list: (items: readonly unknown[]) => readonly unknown[] = (items) => items,
): unknown => {
  if (isList(data)) return list(data).map((item) => replaced(item, change, list));
  if (typeof data !== 'object' || data === null) return change(data);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, replaced(value, change, list)]));
};

/** Texts for people have spaces; ids and addresses have none, and would be refused if they were changed. */
const ofTexts =
  (change: (text: string) => string) =>
  (value: unknown): unknown =>
    typeof value === 'string' && value.includes(' ') ? change(value) : value;

const ofNumbers =
  (number: unknown) =>
  (value: unknown): unknown =>
    typeof value === 'number' ? number : value;

const nothing = (value: unknown): unknown => {
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? 0 : typeof value === 'boolean' ? false : value;
};

const marks = 'a & b <!channel> `c` *d* _e_ ~f~ [g](h) \\i 😀 ```\nj';

const changes: Readonly<Record<string, (data: Json) => unknown>> = {
  'its own data': (data) => data,
  'no data': () => ({}),
  'every value null': (data) => replaced(data, () => null),
  'every value empty': (data) => replaced(data, nothing, () => []),
  'no list items': (data) =>
    replaced(
      data,
      (value) => value,
      () => [],
    ),
  'lists thrice as long': (data) =>
    replaced(
      data,
      (value) => value,
      (items) => [...items, ...items, ...items],
    ),
  'long texts': (data) =>
    replaced(
      data,
      ofTexts((text) => `${text} & `.repeat(400)),
    ),
  'texts of marks': (data) =>
    replaced(
      data,
      ofTexts(() => marks),
    ),
  'numbers below zero': (data) => replaced(data, ofNumbers(-0.001)),
  'texts for numbers': (data) => replaced(data, ofNumbers('many')),
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Data of an exhibit as it is, and as it hardly ever is, by name. */
export const degenerateData = (data: Json): [string, Json][] =>
  Object.entries(changes).map(([name, change]) => {
    const changed = change(data);
    return [name, isObject(changed) ? changed : {}];
  });
