import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { grantableRoles, invitation, invitationStatuses } from '../resources/people.ts';
import { deleted, id, listOf, pageQuery } from '../resources/values.ts';
import { roles } from '../scopes.ts';

const byId = z.strictObject({ id });

/** Milliseconds for an invitation: the mail server is asked while the caller waits. */
const inviteDeadlineMs = 15_000;

/** Invites someone by e-mail. */
export const inviteMember = httpOperation({
  id: 'invite-member',
  service: 'organization',
  summary: 'Invite a person to the organization by e-mail',
  description:
    '`email_sent` says whether the mail server took the mail. The invitation stands either way: who is invited can also accept it by its id. A key invites to no role that has scopes which it lacks itself.',
  method: 'POST',
  path: '/organizations/{id}/invite',
  access: 'organizations:write',
  ownRate: 'invitations',
  role: 'admin',
  organizationWide: true,
  status: 201,
  deadlineMs: inviteDeadlineMs,
  params: byId,
  body: z.strictObject({
    email: z.email().max(limits.email),
    role: z.enum(grantableRoles),
    message: z.string().max(limits.description).optional().describe('is shown in the e-mail'),
  }),
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    invitation_id: id,
    email_sent: z.boolean(),
  }),
  errors: ['organization_not_found', 'invitation_pending', 'already_exists', 'tier_limit'],
  example: { email: 'ada@example.com', role: 'member', message: 'Join us to write the release notes.' },
});

/** Lists the invitations of the caller's organization. */
export const listInvitations = httpOperation({
  id: 'list-invitations',
  service: 'organization',
  summary: 'List invitations, newest first',
  description: 'Refused to keys of preview, as all that is about the people of the organization.',
  method: 'GET',
  path: '/organizations/{id}/invitations',
  access: 'users:read',
  role: 'admin',
  organizationWide: true,
  params: byId,
  query: pageQuery.extend({ status: z.enum(invitationStatuses).optional() }),
  reply: listOf(invitation),
  errors: ['organization_not_found'],
});

/** Takes an invitation back. */
export const revokeInvitation = httpOperation({
  id: 'revoke-invitation',
  service: 'organization',
  summary: 'Revoke an invitation that is not accepted yet',
  method: 'DELETE',
  path: '/organizations/{id}/invitations/{invitation_id}',
  access: 'organizations:write',
  role: 'admin',
  organizationWide: true,
  params: z.strictObject({ id, invitation_id: id }),
  reply: deleted,
  errors: ['organization_not_found', 'not_found', 'invalid_state'],
});

/** Accepts an invitation. */
export const acceptInvitation = httpOperation({
  id: 'accept-invitation',
  service: 'organization',
  summary: 'Accept an invitation as the person of the session',
  description:
    'The session must carry the invited e-mail address, verified by the identity provider. A subject that is not bound yet is bound to the user of the address from then on, unless that user signs in with another subject or belongs to an organization: then the operator binds it.',
  method: 'POST',
  path: '/invitations/accept',
  access: 'session',
  body: z
    .strictObject({
      token: z.string().min(1).max(limits.name).optional().describe('from the link in the e-mail'),
      invitation_id: id.optional(),
      dry_run: z.boolean().optional().describe('answers who invites, and accepts nothing'),
    })
    .refine((body) => body.token !== undefined || body.invitation_id !== undefined, {
      path: ['token'],
      message: 'or invitation_id is required',
    })
    .meta({ anyOf: [{ required: ['token'] }, { required: ['invitation_id'] }] }),
  reply: z.object({
    success: z.literal(true),
    organization_id: id,
    organization_name: z.string(),
    user_id: id.nullable().describe('null in a dry run of a person who has no user yet'),
    role: z.enum(roles),
  }),
  errors: ['not_found', 'invalid_state'],
  example: { invitation_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' },
});
