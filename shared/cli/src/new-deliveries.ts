/** One delivery of the list, as far as it is needed here. */
interface Listed {
  readonly id: string;
  /** RFC 3339. */
  readonly created_at: string;
}

/** Reads the page of a list, newest first, that begins at an offset. */
type PageAt = (offset: number) => Promise<readonly Listed[]>;

/**
 * Follows the deliveries of a destination: each that begins after the first look is told once, however many begin at once.
 */
export class NewDeliveries {
  /** Deliveries of a page. */
  static readonly pageLimit = 100;

  readonly #pageAt: PageAt;
  readonly #seen: Set<string>;
  /** The moment before which nothing is new: the first look reads one page, and knows of nothing older. */
  readonly #since: string;

  private constructor(pageAt: PageAt, first: readonly Listed[]) {
    this.#pageAt = pageAt;
    this.#seen = new Set(first.map((it) => it.id));
    this.#since = first.length < NewDeliveries.pageLimit ? '' : (first.at(-1)?.created_at ?? '');
  }

  /** Takes the first look: what it finds is not new. */
  static async from(pageAt: PageAt): Promise<NewDeliveries> {
    return new NewDeliveries(pageAt, await pageAt(0));
  }

  /** Ids of the deliveries that began since the look before, oldest first. Pages are read until one has nothing new. */
  async poll(): Promise<string[]> {
    const fresh: string[] = [];
    for (let offset = 0; ; offset += NewDeliveries.pageLimit) {
      const page = await this.#pageAt(offset);
      const unseen = page.filter((it) => it.created_at > this.#since && !this.#seen.has(it.id));
      for (const { id } of unseen) this.#seen.add(id);
      fresh.push(...unseen.map((it) => it.id));
      if (unseen.length === 0 || page.length < NewDeliveries.pageLimit) return fresh.toReversed();
    }
  }
}
