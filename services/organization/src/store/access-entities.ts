import type { Environment, Role, TierName } from '@stanza/contracts';
import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { OrganizationStatus } from './organizations.ts';

const createdAt = { ...timestamp, default: () => 'now()' } as const;
const environmentCheck = "environment in ('production', 'preview')";

/** An organization: the boundary that nothing crosses. */
export interface Organization {
  id: string;
  name: string;
  tier: TierName;
  status: OrganizationStatus;
  /** Name at its creation, which is once by name and owner. */
  founding_name: string;
  /** Address of the owner at its creation. */
  founding_email: string;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  /** When the last of it was erased. */
  erased_at: Date | null;
}

/** See {@link Organization}. */
export const organizationEntity = new EntitySchema<Organization>({
  name: 'organizations',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'organizations_pk' },
    name: { type: 'text' },
    tier: { type: 'text' },
    status: { type: 'text', default: 'active' },
    founding_name: { type: 'text' },
    founding_email: { type: 'text' },
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: { ...timestamp, nullable: true },
    erased_at: { ...timestamp, nullable: true },
  },
  checks: [{ name: 'organizations_status', expression: "status in ('active', 'suspended', 'deleted')" }],
  indices: [
    {
      name: 'organizations_founding',
      columns: ['founding_name', 'founding_email'],
      unique: true,
      where: "status <> 'deleted'",
    },
    { name: 'organizations_created_at', columns: ['created_at', 'id'] },
    {
      name: 'organizations_unerased',
      columns: ['deleted_at'],
      where: "status = 'deleted' and erased_at is null",
    },
  ],
});

/** A person, of however many organizations. */
export interface User {
  id: string;
  /** In lower case. */
  email: string;
  first_name: string;
  last_name: string;
  created_at: Date;
  last_active_at: Date | null;
}

/** See {@link User}. */
export const userEntity = new EntitySchema<User>({
  name: 'users',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'users_pk' },
    email: { type: 'text' },
    first_name: { type: 'text', default: '' },
    last_name: { type: 'text', default: '' },
    created_at: createdAt,
    last_active_at: { ...timestamp, nullable: true },
  },
  uniques: [{ name: 'users_email', columns: ['email'] }],
});

/** A subject of an identity provider whose sessions act as a user. */
export interface UserIdentity {
  /** `iss` of the provider's tokens. */
  issuer: string;
  /** `sub` of the provider's tokens: one person within the issuer, for good. */
  subject: string;
  user_id: string;
  created_at: Date;
}

/** See {@link UserIdentity}. */
export const userIdentityEntity = new EntitySchema<UserIdentity>({
  name: 'user_identities',
  columns: {
    issuer: { type: 'text', primary: true, primaryKeyConstraintName: 'user_identities_pk' },
    subject: { type: 'text', primary: true, primaryKeyConstraintName: 'user_identities_pk' },
    user_id: { type: 'uuid' },
    created_at: createdAt,
  },
  foreignKeys: [
    {
      target: 'users',
      columnNames: ['user_id'],
      referencedColumnNames: ['id'],
      name: 'user_identities_user',
      onDelete: 'CASCADE',
    },
  ],
  indices: [{ name: 'user_identities_user_id', columns: ['user_id'] }],
});

/** The role of a user in an organization. */
export interface Membership {
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: Date;
}

const toOrganization = {
  target: 'organizations',
  columnNames: ['organization_id'],
  referencedColumnNames: ['id'],
};
const toUser = { target: 'users', columnNames: ['user_id'], referencedColumnNames: ['id'] };

/** See {@link Membership}. */
export const membershipEntity = new EntitySchema<Membership>({
  name: 'memberships',
  columns: {
    organization_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'memberships_pk' },
    user_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'memberships_pk' },
    role: { type: 'text' },
    created_at: createdAt,
  },
  checks: [{ name: 'memberships_role', expression: "role in ('viewer', 'member', 'admin', 'owner')" }],
  foreignKeys: [
    { ...toOrganization, name: 'memberships_organization' },
    { ...toUser, name: 'memberships_user' },
  ],
  indices: [
    { name: 'memberships_owner', columns: ['organization_id'], unique: true, where: "role = 'owner'" },
    { name: 'memberships_user_id', columns: ['user_id'] },
  ],
});

/** An API key; the key itself is nowhere. */
export interface ApiKey {
  id: string;
  organization_id: string;
  environment: Environment;
  /** Who created it; its scopes are cut to their role at each use. */
  user_id: string;
  /** The key that made it; null where a session or an operator did. No foreign key: keys are erased in any order. */
  parent_id: string | null;
  name: string;
  description: string | null;
  prefix: string;
  hash: Buffer;
  /** Id of the secret in the hash. */
  hash_key_id: string;
  scopes: string[];
  /** CIDRs from where the key may be used; none: from anywhere. */
  allowed_addresses: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

/** See {@link ApiKey}. */
export const apiKeyEntity = new EntitySchema<ApiKey>({
  name: 'api_keys',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'api_keys_pk' },
    organization_id: { type: 'uuid' },
    environment: { type: 'text' },
    user_id: { type: 'uuid' },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    prefix: { type: 'text' },
    hash: { type: 'bytea' },
    hash_key_id: { type: 'text' },
    scopes: { type: 'text', array: true },
    allowed_addresses: { type: 'text', array: true, default: () => "'{}'" },
    created_at: createdAt,
    expires_at: { ...timestamp, nullable: true },
    revoked_at: { ...timestamp, nullable: true },
    last_used_at: { ...timestamp, nullable: true },
    parent_id: { type: 'uuid', nullable: true },
  },
  checks: [{ name: 'api_keys_environment', expression: environmentCheck }],
  uniques: [{ name: 'api_keys_hash', columns: ['hash'] }],
  foreignKeys: [
    { ...toOrganization, name: 'api_keys_organization' },
    { ...toUser, name: 'api_keys_user' },
  ],
  indices: [
    { name: 'api_keys_tenant', columns: ['organization_id', 'environment', 'id'] },
    { name: 'api_keys_of_user', columns: ['organization_id', 'user_id'] },
    { name: 'api_keys_children', columns: ['organization_id', 'parent_id'], where: 'parent_id is not null' },
  ],
});

/** Entities of organizations, people and keys. */
export const accessEntities: readonly EntitySchema[] = [
  organizationEntity,
  userEntity,
  userIdentityEntity,
  membershipEntity,
  apiKeyEntity,
];
