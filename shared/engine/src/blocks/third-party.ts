import type { Kind } from '../grammar/typed.ts';
import { contextIn, type Surface, warnOfTemplate } from '../parse/parse-context.ts';

/** Warns of keys that third parties know and the platform's documentation does not. */
export const noteThirdParty =
  (what: string, keys: readonly string[]): NonNullable<Kind['note']> =>
  (value, context) => {
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      const story = `\`${key}\` of a ${what} is known from third parties alone; the platform may refuse it (source: slack-morphism 2.30).`;
      warnOfTemplate(contextIn(context, key), 'platform.disputed', story);
    }
  };

/**
 * Warns of what third parties say stands on one surface alone.
 *
 * @param key the key that it is about; the whole object where none is given
 */
export const noteSurface =
  (surface: Surface, what: string, key?: string): NonNullable<Kind['note']> =>
  (value, context) => {
    if (context.parsing.surface === surface || (key !== undefined && value[key] !== true)) return;
    const at = key === undefined ? context : contextIn(context, key);
    const story = `the platform may refuse ${what} outside of a ${surface} (source: third-party validators).`;
    warnOfTemplate(at, 'platform.disputed', story);
  };
