/** The path within a value to a number or a date for which JSON has no form, and which it turns into null. */
const formless = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : undefined;
  if ('toJSON' in value) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = formless(inner);
    if (found !== undefined) return (Array.isArray(value) ? `[${key}]` : `.${key}`) + found;
  }
  return undefined;
};

/**
 * The JSON of a body.
 *
 * @throws TypeError where it has a number or a date that JSON turns into null, with its path
 */
export const jsonOf = (body: unknown): string => {
  const json = JSON.stringify(body);
  // Few bodies have a null at all, so that most are not looked through.
  const path = json.includes('null') ? formless(body) : undefined;
  if (path === undefined) return json;
  throw new TypeError(
    `\`${path.replace(/^\./, '')}\` has no form in JSON: NaN, Infinity and invalid dates would be sent as null`,
  );
};
