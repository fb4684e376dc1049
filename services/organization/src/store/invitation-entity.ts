import type { GrantableRole, Invitation } from '@stanza/contracts';
import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';

/** An invitation as it is stored; a pending one whose time is over has expired, whether that is noted or not. */
export interface InvitationRow {
  id: string;
  organization_id: string;
  /** In lower case. */
  email: string;
  role: GrantableRole;
  status: Invitation['status'];
  message: string | null;
  /** The token itself is in the e-mail and nowhere else. */
  token_hash: Buffer;
  invited_by: string | null;
  accepted_by: string | null;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
}

const toUser = { target: 'users', referencedColumnNames: ['id'] };

/** See {@link InvitationRow}. */
export const invitationEntity = new EntitySchema<InvitationRow>({
  name: 'invitations',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'invitations_pk' },
    organization_id: { type: 'uuid' },
    email: { type: 'text' },
    role: { type: 'text' },
    status: { type: 'text', default: 'pending' },
    message: { type: 'text', nullable: true },
    token_hash: { type: 'bytea' },
    invited_by: { type: 'uuid', nullable: true },
    accepted_by: { type: 'uuid', nullable: true },
    created_at: timestamp,
    expires_at: timestamp,
    accepted_at: { ...timestamp, nullable: true },
    revoked_at: { ...timestamp, nullable: true },
  },
  checks: [
    { name: 'invitations_role', expression: "role in ('viewer', 'member', 'admin')" },
    {
      name: 'invitations_status',
      expression: "status in ('pending', 'accepted', 'revoked', 'expired')",
    },
  ],
  uniques: [{ name: 'invitations_token_hash', columns: ['token_hash'] }],
  foreignKeys: [
    {
      target: 'organizations',
      columnNames: ['organization_id'],
      referencedColumnNames: ['id'],
      name: 'invitations_organization',
    },
    { ...toUser, columnNames: ['invited_by'], name: 'invitations_invited_by' },
    { ...toUser, columnNames: ['accepted_by'], name: 'invitations_accepted_by' },
  ],
  indices: [
    {
      name: 'invitations_pending',
      columns: ['organization_id', 'email'],
      unique: true,
      where: "status = 'pending'",
    },
    { name: 'invitations_newest', columns: ['organization_id', 'created_at', 'id'] },
  ],
});
