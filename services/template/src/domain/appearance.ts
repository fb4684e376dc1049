import type { TemplateRow } from './tables.ts';

/** How messages of a template look unless a request says otherwise. */
export type Appearance = Pick<
  TemplateRow,
  'user_name' | 'icon_emoji' | 'fallback_text' | 'locale' | 'timezone' | 'strict'
>;

/** The appearance that a row holds. */
export const appearanceOf = (row: Appearance): Appearance => ({
  user_name: row.user_name,
  icon_emoji: row.icon_emoji,
  fallback_text: row.fallback_text,
  locale: row.locale,
  timezone: row.timezone,
  strict: row.strict,
});
