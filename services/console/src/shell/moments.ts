/** The midnight with which a day begins here, or a later one begins; undefined for what is no day. */
const midnight = (day: string | undefined, daysLater: number): string | undefined => {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  // By the calendar: the days on which clocks are changed are no 24 hours long.
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
};

/** The first and the last day of a list as moments; the last day counts whole. */
export const momentsOf = (from: string | undefined, to: string | undefined) => ({
  from: midnight(from, 0),
  to: midnight(to, 1),
});
