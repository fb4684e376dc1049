import { defaultTiers, type Tier, type TierName, tierNames, tierSchema } from '@stanza/contracts';
import { z } from 'zod';

/** What each tier grants. */
export type Tiers = Readonly<Record<TierName, Tier>>;

const overrides = z.partialRecord(z.enum(tierNames), z.strictObject(tierSchema.partial().shape));

/** The default tiers with what an operator changed of them. */
const withDefaults = (changed: z.output<typeof overrides>): Tiers => {
  const tier = (name: TierName): Tier => tierSchema.parse({ ...defaultTiers[name], ...changed[name] });
  return { free: tier('free'), pro: tier('pro'), enterprise: tier('enterprise') };
};

/** Reads the JSON of the setting `STANZA_TIERS`; what it leaves out is as in the default tiers. */
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
