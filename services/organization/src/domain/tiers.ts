import { defaultTiers, type Tier, type TierName, tierNames, tierSchema } from '@stanza/contracts';
import { z } from 'zod';

/** The limits and grants of each tier. */
export type Tiers = Readonly<Record<TierName, Tier>>;

const overrides = z.partialRecord(z.enum(tierNames), z.strictObject(tierSchema.partial().shape));

/** The default tiers with the operator's changes. */
const withDefaults = (changed: z.output<typeof overrides>): Tiers => {
  const tier = (name: TierName): Tier => tierSchema.parse({ ...defaultTiers[name], ...changed[name] });
  return { free: tier('free'), pro: tier('pro'), enterprise: tier('enterprise') };
};

/** Reads the JSON of the setting `STANZA_TIERS`; omitted values keep their defaults. */
export const configuredTiers = z
  .string()
  .default('{}')
  .transform((text, context): Tiers => {
    try {
      const parsed = overrides.safeParse(JSON.parse(text));
      if (parsed.success) return withDefaults(parsed.data);
      context.addIssue({ code: 'custom', message: z.prettifyError(parsed.error).replaceAll('\n', ' ') });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      context.addIssue({ code: 'custom', message: 'is not JSON' });
    }
    return z.NEVER;
  });
