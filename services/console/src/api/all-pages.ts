/** A page of a list that is continued by an offset. */
export interface OffsetPage<Row> {
  data: readonly Row[];
  pagination: { total: number };
}

/** Rows of one page, the most that the API gives. */
const perPage = 100;

/** Rows that are read at most: enough names for the screens, and ten requests. */
export const maxRows = 1_000;

/** The rows of a list from all of its pages; those after the first page are read at once. */
export const allPages = async <Row>(
  read: (page: { limit: number; offset: number }) => Promise<OffsetPage<Row>>,
): Promise<Row[]> => {
  const first = await read({ limit: perPage, offset: 0 });
  const count = Math.ceil(Math.min(first.pagination.total, maxRows) / perPage);
  const offsets = Array.from({ length: Math.max(0, count - 1) }, (_, at) => (at + 1) * perPage);
  const rest = await Promise.all(offsets.map((offset) => read({ limit: perPage, offset })));
  return [first, ...rest].flatMap(({ data }) => data);
};
