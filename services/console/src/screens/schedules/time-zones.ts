/** Time zones by their IANA names, as the browser lists them. */
export const zones: readonly string[] = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];

/** What a browser takes counts, like `Asia/Kolkata` for `Asia/Calcutta`, unless it is a listed one in other letters. */
const isZone = (text: string): boolean => {
  if (zones.includes(text)) return true;
  if (zones.some((zone) => zone.toLowerCase() === text.toLowerCase())) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** The zone whose city is meant, or the first one that begins with or has what was typed. */
export const nearestZone = (text: string): string | undefined => {
  const typed = text.trim().toLowerCase().replaceAll(' ', '_');
  if (typed === '') return undefined;
  const named = zones.map((zone) => ({ zone, name: zone.toLowerCase(), city: cityOf(zone).toLowerCase() }));
  const typedCity = cityOf(typed);
  const found =
    named.find(({ name, city }) => name === typed || city === typedCity) ??
    named.find(({ city }) => typedCity !== '' && city.startsWith(typedCity)) ??
    named.find(({ name }) => name.includes(typed));
  return found?.zone;
};

/** What is wrong with the text of a time zone; undefined where it is one. */
export const zoneProblem = (text: string): string | undefined => {
  if (isZone(text)) return undefined;
  if (text.trim() === '') return 'Choose a time zone, such as Europe/Berlin.';
  const nearest = nearestZone(text);
  return nearest === undefined
    ? `There is no time zone “${text}”. Choose one from the list, such as Europe/Berlin.`
    : `There is no time zone “${text}”. Did you mean ${nearest}?`;
};
