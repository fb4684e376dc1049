/** A pattern for `like` that any text fits which holds the given one; `%`, `_` and `\` in it mean themselves. */
export const containing = (text: string): string => `%${text.replaceAll(/[%_\\]/g, '\\$&')}%`;
