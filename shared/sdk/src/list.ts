import { StanzaError } from './errors.ts';

/** An answer that holds a part of a list. */
export interface ListPage<Item> {
  data: Item[];
  /** Of a list that is counted. */
  pagination?: { offset: number; limit: number; total: number };
  /** Where the list continues, of one that is read by a cursor; null at its end. */
  next_cursor?: string | null;
  /** Of a list without an end, which grows where its cursor stands: whether more is there already. */
  has_more?: boolean;
  /** The same by its old name, which gateways of 0.1.0 have alone. */
  next_before?: string | null;
}

/** Where a page begins: after a number of items, or with those that are older than one. */
interface Place {
  offset?: number;
  cursor?: string;
  before?: string;
}

const placeAfter = (
  { data, pagination, next_cursor, next_before, has_more }: ListPage<unknown>,
  { offset = 0 }: Place,
): Place | undefined => {
  if (has_more === false) return undefined;
  if (next_cursor !== undefined) return next_cursor === null ? undefined : { cursor: next_cursor };
  if (next_before !== undefined) return next_before === null ? undefined : { before: next_before };
  const next = offset + data.length;
  return data.length === 0 || next >= (pagination?.total ?? 0) ? undefined : { offset: next };
};

/** Where a page begins in a list that is read by a cursor. */
const placeOf = ({ cursor, before }: Place): string | undefined => cursor ?? before;

const idOf = (item: unknown): unknown => Object(item).id;

/**
 * A list of the API: `for await (const item of list)` goes through all of it, a page at a time, and stops to fetch
 * when the loop is left. Nothing is asked before.
 */
export class List<Item, Page extends ListPage<Item>> implements AsyncIterable<Item> {
  readonly #operation: string;
  readonly #query: { limit?: number; offset?: number };
  readonly #fetch: (query: object) => Promise<Page>;

  constructor(operation: string, query: object, fetchPage: (query: object) => Promise<Page>) {
    this.#operation = operation;
    this.#query = query;
    this.#fetch = fetchPage;
  }

  /** The one page that the query names: its items, and how many there are in all. */
  page(): Promise<Page> {
    return this.#fetch(this.#query);
  }

  /**
   * Every item from the offset of the query on. What is new in the meantime pushes items to the next page, and what is
   * deleted draws them to pages that were read, as in a loop that deletes what it reads: they come once.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<unknown>();
    const { offset: start = 0, ...query } = this.#query;
    let place: Place | undefined = start ? { offset: start } : {};
    let total = 0;
    while (place) {
      const page: Page = await this.#fetch({ limit: 100, ...query, ...place });
      const gone = total - (page.pagination?.total ?? 0);
      total = page.pagination?.total ?? 0;
      if (place.offset && gone > 0) {
        place = { offset: Math.max(start, place.offset - gone) };
        continue;
      }
      for (const item of page.data) if (idOf(item) === undefined || !seen.has(idOf(item))) yield item;
      // A list with a cursor may be long, and goes back to no page.
      if (placeOf(place)) seen.clear();
      for (const item of page.data) seen.add(idOf(item));
      const next = placeAfter(page, place);
      // A cache that knows an answer by its path alone gives the same page for ever.
      if (next && placeOf(next) !== undefined && placeOf(next) === placeOf(place))
        throw new StanzaError({
          code: 'unreadable_answer',
          text: 'the address answered a page that goes on where it begins, as of a cache on the way',
          operation: this.#operation,
        });
      place = next;
    }
  }
}
