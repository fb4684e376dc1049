import { authorsOfSettings } from './author.ts';
import type { TemplateRow } from './tables.ts';

/** How messages of a template look unless a request says otherwise. */
export type Appearance = Pick<
  TemplateRow,
  'user_name' | 'icon_emoji' | 'fallback_text' | 'locale' | 'timezone' | 'strict'
>;

/** Who has written how a template looks, where it looks otherwise than the app does by itself. */
export const authorsOfAppearance = (row: TemplateRow): string[] => {
  const { strict, ...texts } = appearanceOf(row);
  const isPlain = !strict && Object.values(texts).every((value) => value === null);
  return isPlain ? [] : authorsOfSettings(row);
};

/** The appearance that a row holds. */
export const appearanceOf = (row: Appearance): Appearance => ({
  user_name: row.user_name,
  icon_emoji: row.icon_emoji,
  fallback_text: row.fallback_text,
  locale: row.locale,
  timezone: row.timezone,
  strict: row.strict,
});
