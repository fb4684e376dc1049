import { CommandProblem } from './problem.ts';

/** The most items of a list that the command shows. */
const most = 10_000;

/** Items of a page. */
const page = 100;

/** Reads a number of items from a word of the command. */
const countOf = (word: string): number => {
  const count = /^\d{1,5}$/.test(word) ? Number(word) : 0;
  if (count >= 1 && count <= most) return count;
  throw new CommandProblem(`${word} is no number of items.`, `Name one from 1 to ${most}.`);
};

/** The first items of a list, as many as a word of the command says. */
export const firstOf = async <Item>(
  word: string,
  list: (query: { limit: number }) => AsyncIterable<Item>,
): Promise<Item[]> => {
  const count = countOf(word);
  const found: Item[] = [];
  for await (const item of list({ limit: Math.min(count, page) })) {
    found.push(item);
    if (found.length === count) break;
  }
  return found;
};
