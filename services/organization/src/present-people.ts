import {
  environments,
  type Invitation,
  type OrganizationUser,
  type OwnOrganization,
  type Profile,
} from '@stanza/contracts';
import { statusAt } from './domain/invitation.ts';
import type { InvitationRow, User } from './store/access-tables.ts';
import type { UserRow } from './store/people.ts';
import type { Belonging, ListedBelonging } from './store/profiles.ts';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A user as the API shows them. */
export const presentUser = (row: UserRow): OrganizationUser => ({
  id: row.id,
  organization_id: row.organization_id,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  role: row.role,
  created_at: row.created_at.toISOString(),
  joined_at: row.joined_at.toISOString(),
  last_active: time(row.last_active_at),
});

/** An invitation as the API shows it at a moment. */
export const presentInvitation = (row: InvitationRow, now: Date): Invitation => ({
  id: row.id,
  organization_id: row.organization_id,
  email: row.email,
  role: row.role,
  status: statusAt(row, now),
  message: row.message,
  invited_by: row.invited_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  accepted_at: time(row.accepted_at),
  revoked_at: time(row.revoked_at),
});

/** A person as shown to themselves. */
export const presentProfile = (user: User, organizations: readonly Belonging[]): Profile => ({
  id: user.id,
  email: user.email,
  first_name: user.first_name,
  last_name: user.last_name,
  created_at: user.created_at.toISOString(),
  last_active: time(user.last_active_at),
  organizations: organizations.map(({ joined_at, ...organization }) => ({
    ...organization,
    joined_at: joined_at.toISOString(),
  })),
});

/** An organization as its member sees it among their own; a session may name either environment. */
export const presentOwnOrganization = ({ joined_at, ...organization }: ListedBelonging): OwnOrganization => ({
  ...organization,
  environments: [...environments],
  joined_at: joined_at.toISOString(),
});
