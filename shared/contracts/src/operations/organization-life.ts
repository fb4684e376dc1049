import { z } from 'zod';
import { httpOperation, internalOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import { activationPolicies, organization, organizationStatuses } from '../resources/organization.ts';
import { credits, deleted, id, name, timestamp } from '../resources/values.ts';
import { scopeSchema } from '../scopes.ts';
import { serviceNames } from '../services.ts';
import { tierNames } from '../tiers.ts';

const byId = z.strictObject({ id });

/** Reads the caller's organization. */
export const getOrganization = httpOperation({
  id: 'get-organization',
  service: 'organization',
  summary: 'Read your organization',
  method: 'GET',
  path: '/organizations/{id}',
  access: 'organizations:read',
  params: byId,
  reply: organization,
  errors: ['organization_not_found'],
});

/** Changes the caller's organization. */
export const updateOrganization = httpOperation({
  id: 'update-organization',
  service: 'organization',
  summary: 'Rename your organization, or change its policies',
  description:
    'Absent fields keep their values. Name and policies hold in both environments: a key of the preview environment cannot change them. A person changes `activation` in the console, and no key or agent; the operator alone lifts `another_person`.',
  method: 'PATCH',
  path: '/organizations/{id}',
  access: 'organizations:write',
  role: 'admin',
  organizationWide: true,
  params: byId,
  body: z.strictObject({
    name: name.optional(),
    guard_activation: z
      .boolean()
      .optional()
      .describe(
        'true: a version with which stored data breaks is made live only with `accept_breaks: true`; else 409 activation_breaks',
      ),
    activation: z
      .enum(activationPolicies)
      .optional()
      .describe(
        'who may make a version live, besides the scope: `anyone`; a `person`, and no key; `another_person` than the author of the version and the one who proposed it; else 403 activation_refused. A person changes it in the console, and the operator alone lifts `another_person`',
      ),
  }),
  reply: organization,
  errors: ['organization_not_found'],
  example: { name: 'Acme Rockets' },
});

/** Deletes the caller's organization. */
export const deleteOrganization = httpOperation({
  id: 'delete-organization',
  service: 'organization',
  summary: 'Delete your organization and everything that belongs to it',
  description:
    'Every key and session is refused at once. Requests in flight may finish; then all data is erased, in both environments: templates, messages, queues, keys, people who belong to no other organization, the audit log. The ledger of credits stays, without names. This cannot be undone.',
  method: 'DELETE',
  path: '/organizations/{id}',
  access: 'organizations:delete',
  role: 'owner',
  organizationWide: true,
  params: byId,
  reply: deleted,
  errors: ['organization_not_found'],
});

/** Changes the tier of an organization; its overage and the limits of its queues follow. */
export const setOrganizationTier = internalOperation({
  id: 'set-organization-tier',
  service: 'organization',
  summary: 'Change the tier of an organization',
  callers: ['admin'],
  input: z.object({ organization_id: id, tier: z.enum(tierNames) }),
  reply: z.object({ tier: z.enum(tierNames), changed: z.boolean() }),
  errors: ['organization_not_found'],
});

/** Sets who may make a version live; for operators, where nobody of the organization has a session. */
export const setOrganizationActivation = internalOperation({
  id: 'set-organization-activation',
  service: 'organization',
  summary: 'Set who may make a version live in an organization',
  callers: ['admin'],
  input: z.object({ organization_id: id, activation: z.enum(activationPolicies) }),
  reply: z.object({ activation: z.enum(activationPolicies), changed: z.boolean() }),
  errors: ['organization_not_found'],
});

/** Shows an organization to operators, also a deleted one and how far its erasure has come. */
export const showOrganization = internalOperation({
  id: 'show-organization',
  service: 'organization',
  readOnly: true,
  summary: 'Show an organization, deleted ones included',
  callers: ['admin'],
  input: z.object({ organization_id: id }),
  reply: z.object({
    id,
    name: z.string(),
    tier: z.enum(tierNames),
    status: z.string(),
    balance: credits,
    reserved: credits,
    created_at: timestamp,
    deleted_at: timestamp.nullable(),
    erased_at: timestamp.nullable(),
    erasures: z.array(
      z.object({
        service: z.enum(serviceNames),
        erased_at: timestamp.nullable(),
        rows: z.int().nullable(),
      }),
    ),
  }),
  errors: ['organization_not_found'],
});

/** Whether an organization is active, for background work in its name, and its policies. */
export const getOrganizationStatus = internalOperation({
  id: 'get-organization-status',
  service: 'organization',
  readOnly: true,
  summary: 'Read whether an organization is active, its policies, and whether an actor still holds a scope',
  callers: ['delivery', 'template'],
  input: z.object({
    organization_id: id,
    holder: z
      .object({ environment: environmentSchema, actor: actorSchema, scope: scopeSchema })
      .optional()
      .describe('who is about to decide something, and the scope that it takes'),
  }),
  reply: z.object({
    status: z.enum(organizationStatuses),
    guard_activation: z.boolean().optional().describe('the previous version answers without it'),
    activation: z.enum(activationPolicies).optional().describe('the previous version answers without it'),
    may: z
      .boolean()
      .optional()
      .describe('whether `holder` holds the scope now; the previous version answers without it'),
  }),
  errors: ['organization_not_found'],
});
