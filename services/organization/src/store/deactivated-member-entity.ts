import type { Role } from '@stanza/contracts';
import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';

/**
 * A member whom the identity provider has deactivated. They have no row among the memberships, so that whatever asks
 * for members finds none; this one remembers what they were. It outlives its user only while processes of the version
 * before, which do not know it, erase an organization.
 */
export interface DeactivatedMember {
  organization_id: string;
  user_id: string;
  role: Exclude<Role, 'owner'>;
  joined_at: Date;
  deactivated_at: Date;
}

/** See {@link DeactivatedMember}. */
export const deactivatedMemberEntity = new EntitySchema<DeactivatedMember>({
  name: 'deactivated_members',
  columns: {
    organization_id: {
      type: 'uuid',
      primary: true,
      primaryKeyConstraintName: 'deactivated_members_pk',
    },
    user_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'deactivated_members_pk' },
    role: { type: 'text' },
    joined_at: timestamp,
    deactivated_at: timestamp,
  },
  checks: [{ name: 'deactivated_members_role', expression: "role in ('viewer', 'member', 'admin')" }],
  foreignKeys: [
    {
      target: 'organizations',
      columnNames: ['organization_id'],
      referencedColumnNames: ['id'],
      name: 'deactivated_members_organization',
    },
  ],
  indices: [{ name: 'deactivated_members_user_id', columns: ['user_id'] }],
});
