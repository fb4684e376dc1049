/** A `like` pattern for texts that contain the given one; `%`, `_` and `\` in it are literal. */
export const containing = (text: string): string => `%${text.replaceAll(/[%_\\]/g, '\\$&')}%`;
