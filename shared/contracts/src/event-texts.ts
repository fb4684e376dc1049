const written = new WeakMap<readonly object[], readonly string[]>();

/** The JSON text of each event of a push, written once for its size and for whoever carries it on. */
export const eventTexts = (events: readonly object[]): readonly string[] => {
  const known = written.get(events);
  if (known) return known;
  const texts = events.map((event) => JSON.stringify(event));
  written.set(events, texts);
  return texts;
};
