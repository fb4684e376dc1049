import {
  defaultTiers,
  storedLimits,
  type Tier,
  type TierName,
  tierNames,
  tierSchema,
} from '@stanza/contracts';
import { z } from 'zod';

/** The limits and grants of each tier. */
export type Tiers = Readonly<Record<TierName, Tier>>;

const changedTier = tierSchema.partial().extend({ stored: storedLimits.partial().strict().optional() });
const overrides = z.partialRecord(z.enum(tierNames), changedTier.strict());

/** The default tiers with the operator's changes. */
const withDefaults = (changed: z.output<typeof overrides>): Tiers => {
  const tier = (name: TierName): Tier => {
    const usual = defaultTiers[name];
    const stored = { ...usual.stored, ...changed[name]?.stored };
    return tierSchema.parse({ ...usual, ...changed[name], stored });
  };
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
