import type {
  ActivationPolicy,
  Environment,
  ErasingService,
  GrantableRole,
  Invitation,
  Role,
  TierName,
} from '@stanza/contracts';
import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  check,
  type ForeignKey,
  now,
  nullable,
  type RowOf,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';
import type { OrganizationStatus } from './organizations.ts';

const toOrganization = (name: string): ForeignKey<'organization_id'> => ({
  name,
  target: 'organizations',
  columnNames: ['organization_id'],
  referencedColumnNames: ['id'],
});

const toUser = <Name extends string>(name: string, column: Name): ForeignKey<Name> => ({
  name,
  target: 'users',
  columnNames: [column],
  referencedColumnNames: ['id'],
});

/** An organization: the tenant boundary. */
export const organizations = table('organizations', {
  columns: {
    id: uuid(),
    name: text(),
    tier: text<TierName>(),
    status: withDefault(text<OrganizationStatus>(), 'active'),
    /** Name at its creation; creation is unique by name and owner. */
    founding_name: text(),
    /** Address of the owner at its creation. */
    founding_email: text(),
    created_at: withDefault(timestamp(), now),
    updated_at: withDefault(timestamp(), now),
    deleted_at: nullable(timestamp()),
    /** When all services had erased its rows. */
    erased_at: nullable(timestamp()),
    /** Policy: an activation with which stored data breaks must accept that. */
    guard_activation: withDefault(boolean(), false),
    /** Policy: who may make a version live. */
    activation: withDefault(text<ActivationPolicy>(), 'anyone'),
  },
  primaryKey: { name: 'organizations_pk', columns: ['id'] },
  checks: [check('organizations_status', "status in ('active', 'suspended', 'deleted')")],
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

/** A row of {@link organizations}. */
export type Organization = RowOf<typeof organizations>;

/** The state of a service's erasure of a deleted organization. */
export const erasures = table('erasures', {
  columns: {
    organization_id: uuid(),
    service: text<ErasingService>(),
    requested_at: timestamp(),
    erased_at: nullable(timestamp()),
    erased_rows: nullable(bigint()),
  },
  primaryKey: { name: 'erasures_pk', columns: ['organization_id', 'service'] },
  foreignKeys: [toOrganization('erasures_organization')],
});

/** A row of {@link erasures}. */
export type Erasure = RowOf<typeof erasures>;

/** A person, in any number of organizations. */
export const users = table('users', {
  columns: {
    id: uuid(),
    /** In lower case. */
    email: text(),
    first_name: withDefault(text(), ''),
    last_name: withDefault(text(), ''),
    created_at: withDefault(timestamp(), now),
    last_active_at: nullable(timestamp()),
    /** No operator has named the address: whoever proves it first becomes the user. */
    claimable: withDefault(boolean(), false),
    /** The one organization for which the names were given, while the person may not know of them. */
    named_by: nullable(uuid()),
  },
  primaryKey: { name: 'users_pk', columns: ['id'] },
  uniques: [{ name: 'users_email', columns: ['email'] }],
});

/** A row of {@link users}. */
export type User = RowOf<typeof users>;

/** A subject of an identity provider whose sessions act as a user. */
export const userIdentities = table('user_identities', {
  columns: {
    /** `iss` of the provider's tokens. */
    issuer: text(),
    /** `sub` of the provider's tokens: identifies one person within the issuer permanently. */
    subject: text(),
    user_id: uuid(),
    created_at: withDefault(timestamp(), now),
  },
  primaryKey: { name: 'user_identities_pk', columns: ['issuer', 'subject'] },
  foreignKeys: [{ ...toUser('user_identities_user', 'user_id'), onDelete: 'CASCADE' }],
  indices: [{ name: 'user_identities_user_id', columns: ['user_id'] }],
});

/** A row of {@link userIdentities}. */
export type UserIdentity = RowOf<typeof userIdentities>;

/** The role of a user in an organization. */
export const memberships = table('memberships', {
  columns: {
    organization_id: uuid(),
    user_id: uuid(),
    role: text<Role>(),
    created_at: withDefault(timestamp(), now),
  },
  primaryKey: { name: 'memberships_pk', columns: ['organization_id', 'user_id'] },
  checks: [check('memberships_role', "role in ('viewer', 'member', 'admin', 'owner')")],
  foreignKeys: [toOrganization('memberships_organization'), toUser('memberships_user', 'user_id')],
  indices: [
    { name: 'memberships_owner', columns: ['organization_id'], unique: true, where: "role = 'owner'" },
    { name: 'memberships_user_id', columns: ['user_id'] },
  ],
});

/** A row of {@link memberships}. */
export type Membership = RowOf<typeof memberships>;

/**
 * A member whom the identity provider has deactivated. They have no membership row, so that every query for members
 * excludes them; this row keeps their former role. It outlives its user only while processes of the previous version,
 * which do not know it, erase an organization.
 */
export const deactivatedMembers = table('deactivated_members', {
  columns: {
    organization_id: uuid(),
    user_id: uuid(),
    role: text<Exclude<Role, 'owner'>>(),
    joined_at: timestamp(),
    deactivated_at: timestamp(),
  },
  primaryKey: { name: 'deactivated_members_pk', columns: ['organization_id', 'user_id'] },
  checks: [check('deactivated_members_role', "role in ('viewer', 'member', 'admin')")],
  foreignKeys: [toOrganization('deactivated_members_organization')],
  indices: [{ name: 'deactivated_members_user_id', columns: ['user_id'] }],
});

/** A row of {@link deactivatedMembers}. */
export type DeactivatedMember = RowOf<typeof deactivatedMembers>;

/** What the identity provider of an organization calls a person, also while they are deactivated. */
export const externalIds = table('external_ids', {
  columns: { organization_id: uuid(), user_id: uuid(), external_id: text() },
  primaryKey: { name: 'external_ids_pk', columns: ['organization_id', 'user_id'] },
  foreignKeys: [
    toOrganization('external_ids_organization'),
    { ...toUser('external_ids_user', 'user_id'), onDelete: 'CASCADE' },
  ],
  indices: [
    { name: 'external_ids_external', columns: ['organization_id', 'external_id'] },
    { name: 'external_ids_user_id', columns: ['user_id'] },
  ],
});

/** A stored invitation; a pending one past its expiry has expired, whether or not its status says so. */
export const invitations = table('invitations', {
  columns: {
    id: uuid(),
    organization_id: uuid(),
    /** In lower case. */
    email: text(),
    role: text<GrantableRole>(),
    status: withDefault(text<Invitation['status']>(), 'pending'),
    message: nullable(text()),
    /** Hash of the token; only the e-mail contains the token. */
    token_hash: bytes(),
    invited_by: nullable(uuid()),
    accepted_by: nullable(uuid()),
    created_at: timestamp(),
    expires_at: timestamp(),
    accepted_at: nullable(timestamp()),
    revoked_at: nullable(timestamp()),
    /** The key that made it; null for a session. No foreign key, as of `parent_id` of keys. */
    api_key_id: nullable(uuid()),
  },
  primaryKey: { name: 'invitations_pk', columns: ['id'] },
  checks: [
    check('invitations_role', "role in ('viewer', 'member', 'admin')"),
    check('invitations_status', "status in ('pending', 'accepted', 'revoked', 'expired')"),
  ],
  uniques: [{ name: 'invitations_token_hash', columns: ['token_hash'] }],
  foreignKeys: [
    toOrganization('invitations_organization'),
    toUser('invitations_invited_by', 'invited_by'),
    toUser('invitations_accepted_by', 'accepted_by'),
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

/** A row of {@link invitations}. */
export type InvitationRow = RowOf<typeof invitations>;

/** An API key; the key itself is never stored. */
export const apiKeys = table('api_keys', {
  columns: {
    id: uuid(),
    organization_id: uuid(),
    environment: text<Environment>(),
    /** Its creator; the scopes are limited to their role at each use. */
    user_id: uuid(),
    name: text(),
    description: nullable(text()),
    prefix: text(),
    hash: bytes(),
    /** Id of the secret in the hash. */
    hash_key_id: text(),
    scopes: arrayOf(text()),
    /** CIDRs from where the key may be used; empty: from anywhere. */
    allowed_addresses: withDefault(arrayOf(text()), { sql: "'{}'" }),
    created_at: withDefault(timestamp(), now),
    expires_at: nullable(timestamp()),
    revoked_at: nullable(timestamp()),
    last_used_at: nullable(timestamp()),
    /** The key that created it; null for a session or an operator. No foreign key: keys are erased in any order. */
    parent_id: nullable(uuid()),
  },
  primaryKey: { name: 'api_keys_pk', columns: ['id'] },
  checks: [check('api_keys_environment', "environment in ('production', 'preview')")],
  uniques: [{ name: 'api_keys_hash', columns: ['hash'] }],
  foreignKeys: [toOrganization('api_keys_organization'), toUser('api_keys_user', 'user_id')],
  indices: [
    { name: 'api_keys_tenant', columns: ['organization_id', 'environment', 'id'] },
    { name: 'api_keys_of_user', columns: ['organization_id', 'user_id'] },
    { name: 'api_keys_children', columns: ['organization_id', 'parent_id'], where: 'parent_id is not null' },
  ],
});

/** A row of {@link apiKeys}. */
export type ApiKey = RowOf<typeof apiKeys>;
