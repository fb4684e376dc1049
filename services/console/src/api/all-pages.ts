/** A page of a list that is continued by an offset. */
export interface OffsetPage<Row> {
  data: readonly Row[];
  pagination: { total: number };
}

/** Rows of one page, the most that the API gives. */
const perPage = 100;

/** Rows that are read at most: enough names for the screens of a large organization. */
export const maxRows = 5_000;

/** Pages that are read at once. */
const inFlight = 10;

/** The rows of a list from all of its pages; those after the first page are read some at once. */
export const allPages = async <Row>(
  read: (page: { limit: number; offset: number }) => Promise<OffsetPage<Row>>,
): Promise<Row[]> => {
  const first = await read({ limit: perPage, offset: 0 });
  const count = Math.ceil(Math.min(first.pagination.total, maxRows) / perPage);
  const offsets = Array.from({ length: Math.max(0, count - 1) }, (_, at) => (at + 1) * perPage);
  const rows = [...first.data];
  for (let at = 0; at < offsets.length; at += inFlight) {
    const next = offsets.slice(at, at + inFlight);
    const pages = await Promise.all(next.map((offset) => read({ limit: perPage, offset })));
    rows.push(...pages.flatMap(({ data }) => data));
  }
  return rows;
};
