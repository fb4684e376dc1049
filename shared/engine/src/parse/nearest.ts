import { distance } from 'fastest-levenshtein';

/** Names differ in more than case and the sign between words. */
const folded = (name: string): string => name.toLowerCase().replaceAll('-', '_');

const sorted = (word: string): string => [...word].sort().join('');

/** The known name that a misspelt one most likely means, if any is near enough. */
export const nearestName = (given: string, known: readonly string[]): string | undefined => {
  // Longer texts are no misspelt names, and the distance costs their length times that of every known name.
  if (given.length > 64) return undefined;
  // With two letters changed, a short word is another word, unless they changed places.
  const allowed = given.length < 6 ? 1 : Math.max(2, Math.floor(given.length / 3));
  const word = folded(given);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    if (Math.abs(name.length - word.length) > allowed) continue;
    const other = folded(name);
    const apart = sorted(other) === sorted(word) ? 1 : distance(word, other);
    if (apart < bestDistance) [best, bestDistance] = [name, apart];
  }
  return bestDistance <= allowed ? best : undefined;
};

/** Names of a template as a message lists them: the first ones, and how many there are besides. */
export const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, 10).map((name) => `\`${name.slice(0, 80)}\``);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ');
};

/** Maximum number of listed names; every table of the language but that of limits has fewer. */
const MOST_LISTED = 40;

/** The hint that names the nearest known name, or all of them when none is near and they are few. */
export const hintNearest = (given: string, known: readonly string[]): { hint?: string } => {
  const nearest = nearestName(given, known);
  if (nearest !== undefined) return { hint: `Did you mean \`${nearest}\`?` };
  return known.length <= MOST_LISTED ? { hint: `Known: ${known.join(', ')}.` } : {};
};
