/** The midnight with which a day begins here; undefined for what is no day, which no field shows. */
const midnightOf = (day: string | undefined): Date | undefined => {
  const date = new Date(`${day}T00:00:00`);
  // 31 February is read as a day of March.
  return /^\d{4}-\d\d-\d\d$/.test(day ?? '') && date.getDate() === Number(day?.slice(8)) ? date : undefined;
};

/** A day as the address has it; undefined where the calendar has no such day. */
export const dayIn = (text: string | undefined): string | undefined => midnightOf(text) && text;

/** The first and the last day of a list as moments; the last day counts whole. */
export const momentsOf = (from: string | undefined, to: string | undefined) => {
  const end = midnightOf(to);
  // By the calendar: the days on which clocks are changed are no 24 hours long.
  end?.setDate(end.getDate() + 1);
  return { from: midnightOf(from)?.toISOString(), to: end?.toISOString() };
};
