import { z } from 'zod';
import { roles, scopeSchema } from './scopes.ts';

/** The two worlds of an organization; their keys, templates and chat connections do not mix. */
export const environments = ['production', 'preview'] as const;

/** One of an organization's two environments. */
export type Environment = (typeof environments)[number];

/** Schema of an environment's name. */
export const environmentSchema = z.enum(environments);

/** Who stands behind a call: a key, a person's session, or the system itself (a schedule, an operator). */
export const actorSchema = z.object({
  type: z.enum(['api_key', 'session', 'system']),
  id: z.string().describe('the key id, the session subject, or the name of the system part'),
  user_id: z.uuid().optional().describe('the user on whose behalf the call is made'),
  client_id: z.string().optional().describe('the application that acts, of a session'),
  name: z
    .string()
    .max(200)
    .optional()
    .describe('who ran the command of an operator: a name, as their machine says'),
});

/** An authenticated caller: who, in which organization and environment, with which role and scopes. */
export const principalSchema = z.object({
  organization_id: z.uuid(),
  environment: environmentSchema,
  actor: actorSchema,
  role: z.enum(roles),
  scopes: z.array(scopeSchema),
  decides: z
    .literal(false)
    .optional()
    .describe('false for a session whose application does not act for its person where people decide'),
  confined: z
    .literal(true)
    .optional()
    .describe('true for a session whose token is for its environment alone, as a key is'),
});

/**
 * A person whose session token an identity provider signed. The provider vouches for the subject; the e-mail address
 * counts only where `email_verified`. Whether the service knows a user behind it is another question.
 */
export const personSchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  email_verified: z.boolean(),
  issued_at: z.iso.datetime().optional().describe('when the token was made'),
  expires_at: z.iso.datetime().optional().describe('when the token ends'),
  client_id: z.string().optional().describe('the application that the token was made for'),
});

/** See {@link personSchema}. */
export type Person = z.output<typeof personSchema>;

/** See {@link principalSchema}. */
export type Principal = z.output<typeof principalSchema>;

/** Whether a person acts, through an application in which people decide: an agent with a session is none. */
export const isPersonDeciding = ({ actor, decides }: Pick<Principal, 'actor' | 'decides'>): boolean =>
  actor.type === 'session' && decides !== false;

/** Whether a caller may act in the other environment too: a person may, unless their token is for one alone. */
export const reachesBoth = ({ actor, confined }: Pick<Principal, 'actor' | 'confined'>): boolean =>
  actor.type === 'session' && confined !== true;

/** A key of preview, or a session token for preview, must not reach what both environments share. */
export const isForPreview = (principal: Principal): boolean =>
  principal.environment !== 'production' && principal.actor.type !== 'system' && !reachesBoth(principal);

/** See {@link actorSchema}. */
export type Actor = z.output<typeof actorSchema>;

/** The author of a change: the person behind the key or session, else the key. */
export const authorOf = (actor: Actor): string => actor.user_id ?? actor.id;
