import type { ArgumentRule } from './filter.ts';

/** A text. */
export const text: ArgumentRule = { needs: 'a quoted text', accepts: (given) => typeof given === 'string' };

/** The name of a language of programming. */
export const languageName: ArgumentRule = {
  needs: 'a language like "sql"',
  accepts: (given) => typeof given === 'string' && /^[\w.+#-]{1,40}$/.test(given),
};

/** Any value. */
export const anything: ArgumentRule = {
  needs: 'a quoted text, a number, true or false',
  accepts: () => true,
};

/** A whole number in a range. */
export const whole = (least: number, most: number): ArgumentRule => ({
  needs: `a whole number from ${least} to ${most}`,
  accepts: (given) => typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most,
});

/** The same, but it may be left out. */
export const optional = (rule: ArgumentRule): ArgumentRule => ({ ...rule, optional: true });
