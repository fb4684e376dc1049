const picture =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 9%22%3E%3Crect width=%2216%22 height=%229%22 fill=%22%23b9b2d6%22/%3E%3C/svg%3E';

/** Blocks with a plain picture in the place of each that lies elsewhere: a page that shows many loads nothing. */
export const withoutPictures = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPictures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && /(image|thumbnail|icon|thumb)_url$/.test(key)
        ? picture
        : withoutPictures(inner),
    ]),
  );
};
