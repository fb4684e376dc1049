import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import { id } from '../resources/values.ts';
import { scopeSchema } from '../scopes.ts';

/** Tells whether somebody who began something may still go on with it, and in which organization that is. */
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
  }),
  errors: ['organization_not_found'],
});
