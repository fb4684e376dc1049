/** Rows of one statement, so that none holds locks for long. */
const chunk = 1_000;

/** Forgets rows in bounded batches until there are none left; `forgetSome` answers how many it has forgotten. */
export const untilFew = async (forgetSome: (limit: number) => Promise<number>): Promise<void> => {
  while ((await forgetSome(chunk)) === chunk);
};
