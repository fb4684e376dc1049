import { z } from 'zod';
import { limits } from '../limits.ts';
import { environmentSchema } from '../principal.ts';
import { roles } from '../scopes.ts';
import { organizationStatuses } from './organization.ts';
import { id, oneLine, timestamp } from './values.ts';

/** Roles that are given by invitation or change; an owner is made by transfer alone. */
export const grantableRoles = ['viewer', 'member', 'admin'] as const;

/** See {@link grantableRoles}. */
export type GrantableRole = (typeof grantableRoles)[number];

/** A part of a person's name. */
export const personName = z
  .string()
  .max(limits.name)
  .regex(oneLine, 'must be one line without control characters')
  .meta({ id: 'PersonName' });

/** A user in their organization. */
export const organizationUser = z
  .object({
    id,
    organization_id: id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: z.enum(roles),
    created_at: timestamp.describe('when the service first knew the person'),
    joined_at: timestamp,
    last_active: timestamp.nullable(),
  })
  .meta({ id: 'OrganizationUser' });

/** See {@link organizationUser}. */
export type OrganizationUser = z.output<typeof organizationUser>;

/** States of an invitation: a pending one is accepted, revoked, or expires. */
export const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const;

/** An invitation; its token is in the e-mail alone. */
export const invitation = z
  .object({
    id,
    organization_id: id,
    email: z.string(),
    role: z.enum(grantableRoles),
    status: z.enum(invitationStatuses),
    message: z.string().nullable(),
    invited_by: id.nullable().describe('the user who invited'),
    created_at: timestamp,
    expires_at: timestamp,
    accepted_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'Invitation' });

/** See {@link invitation}. */
export type Invitation = z.output<typeof invitation>;

/** A person and the organizations that they belong to. */
export const profile = z
  .object({
    id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    created_at: timestamp,
    last_active: timestamp.nullable(),
    organizations: z.array(z.object({ id, name: z.string(), role: z.enum(roles), joined_at: timestamp })),
  })
  .meta({ id: 'Profile' });

/** See {@link profile}. */
export type Profile = z.output<typeof profile>;

/** An organization of a person, and where a session of theirs may act in it. */
export const ownOrganization = z
  .object({
    id,
    name: z.string(),
    status: z.enum(organizationStatuses).describe('a suspended one refuses every request'),
    role: z.enum(roles),
    environments: z.array(environmentSchema).describe('a session acts in one of them at a time'),
    joined_at: timestamp,
  })
  .meta({ id: 'OwnOrganization' });

/** See {@link ownOrganization}. */
export type OwnOrganization = z.output<typeof ownOrganization>;
