import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import { id } from '../resources/values.ts';
import { scopeSchema } from '../scopes.ts';

/** Answers whether an actor who started something may still continue it, and names the organization. */
export const describeActor = internalOperation({
  id: 'describe-actor',
  service: 'organization',
  readOnly: true,
  summary: 'Tell whether a key or a person still has a scope, and the name of their organization',
  callers: ['delivery'],
  input: z.object({
    organization_id: id,
    environment: environmentSchema,
    actor: actorSchema,
    scope: scopeSchema,
  }),
  reply: z.object({
    organization_name: z.string(),
    may: z.boolean().describe('the organization is active, the actor has access to it, and holds the scope'),
    user_email: z
      .string()
      .nullable()
      .optional()
      .describe('of the person behind the actor; left out by processes of the previous version'),
  }),
  errors: ['organization_not_found'],
});
