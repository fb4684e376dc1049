import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { roles } from '../scopes.ts';
import { tierNames } from '../tiers.ts';
import { credits, id, timestamp } from './values.ts';

/** States of an organization; a suspended one is refused everywhere. */
export const organizationStatuses = ['active', 'suspended', 'deleted'] as const;

/**
 * Who may make a version of a template or a modal live: whoever has the scope; a person, and no key; a person other than
 * the author of the version and the one who proposed it.
 */
export const activationPolicies = ['anyone', 'person', 'another_person'] as const;

/** See {@link activationPolicies}. */
export type ActivationPolicy = (typeof activationPolicies)[number];

/** An organization as its members see it. */
export const organization = z
  .object({
    id,
    name: z.string(),
    tier: z.enum(tierNames),
    status: z.enum(organizationStatuses),
    member_count: z.int(),
    guard_activation: z
      .boolean()
      .describe('whether an activation with which stored data breaks must say `accept_breaks: true`'),
    activation: z
      .enum(activationPolicies)
      .describe(
        'who may make a version live, besides the scope: `anyone`; a `person`, and no key; `another_person` than the author of the version and the one who proposed it',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organization' });

/** See {@link organization}. */
export type Organization = z.output<typeof organization>;

/** The answer of a validated token. */
export const validatedToken = z
  .object({
    valid: z.boolean(),
    user: z.object({
      id,
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      organization_id: id,
      organization_name: z.string(),
      role: z.enum(roles),
      scopes: z.array(z.string()),
      created_at: timestamp,
      last_active: timestamp.nullable(),
    }),
    token: z.object({
      type: z.enum(['api_key', 'session']),
      environment: environmentSchema.describe('what the token acts in'),
      key_prefix: z.string().nullable(),
      name: z.string().nullable(),
      description: z.string().nullable(),
      scopes: z.array(z.string()),
      created_at: timestamp.nullable(),
      last_used_at: timestamp.nullable(),
      expires_at: timestamp.nullable(),
      status: z.enum(['active']),
      client_id: z.string().nullable(),
    }),
    organization: z.object({
      id,
      name: z.string(),
      status: z.enum(organizationStatuses),
      member_count: z.int(),
      credit_balance: credits,
    }),
  })
  .meta({ id: 'ValidatedToken' });
