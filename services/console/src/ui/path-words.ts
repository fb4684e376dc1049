const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
] as const;

/** A path of the data that leads into a list; keys that are quoted stay as they are written. */
const intoList = /^[^\s.[\]{}|"'`]+(?:\.[^\s.[\]{}|"'`]+|\[\d*\])*\[\d*\](?:\.[^\s.[\]{}|"'`]+|\[\d*\])*$/;

const itemWords = (place: string): string => {
  if (place === '') return 'each';
  const ordinal = ordinals[Number(place)];
  return ordinal === undefined ? `item ${Number(place) + 1}` : `the ${ordinal}`;
};

/** A path as people read it, its names between backticks: “`title` of the first of `events`”. */
export const pathWords = (path: string): string => {
  if (!intoList.test(path)) return `\`${path}\``;
  // Names stand at even places, and between them the places in lists; `[0][1]` has no name between.
  return path
    .split(/\[(\d*)\]/)
    .map((part, at) => (at % 2 === 1 ? itemWords(part) : part.replace(/^\./, '')))
    .map((part, at) => (at % 2 === 1 || part === '' ? part : `\`${part}\``))
    .filter((part) => part !== '')
    .toReversed()
    .join(' of ');
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence in which each path between backticks is in words. */
export const withPathWords = (sentence: string): string =>
  sentence.replaceAll(/`([^`]+)`/g, (_, path: string, at: number) =>
    at === 0 ? capitalized(pathWords(path)) : pathWords(path),
  );
