/** A page of a list that is continued by a cursor. */
interface CursorPage<Row> {
  data: Row[];
  next_cursor?: string | null | undefined;
}

/** The rows that a list shows on pages of one, where something new comes after each page. */
export const walked = async <Row>(
  pageAt: (query: { limit: number; offset: number; cursor?: string }) => Promise<CursorPage<Row>>,
  meanwhile: () => Promise<unknown>,
): Promise<Row[]> => {
  const rows: Row[] = [];
  const page = { limit: 1, offset: 0 };
  let { data, next_cursor } = await pageAt(page);
  rows.push(...data);
  while (next_cursor) {
    await meanwhile();
    ({ data, next_cursor } = await pageAt({ ...page, cursor: next_cursor }));
    rows.push(...data);
  }
  return rows;
};
