import { entityOf, runtimeEntities } from '@stanza/runtime';
import type { EntitySchema } from 'typeorm';
import {
  apiKeys,
  deactivatedMembers,
  erasures,
  externalIds,
  invitations,
  memberships,
  organizations,
  userIdentities,
  users,
} from './access-tables.ts';
import { auditLog, auditSeals, auditStreams } from './audit-tables.ts';
import { creditAccounts, creditLog, provisionalCharges, reservations, settlements } from './credit-tables.ts';

/** The entity of {@link users}. */
export const userEntity = entityOf(users);

/** The entity of {@link auditLog}. */
export const auditEntity = entityOf(auditLog);

/** The entity of {@link invitations}. */
export const invitationEntity = entityOf(invitations);

/** The entity of {@link erasures}. */
export const erasureEntity = entityOf(erasures);

/** Every entity of the schema `organization`. */
export const entities: readonly EntitySchema[] = [
  entityOf(organizations),
  erasureEntity,
  userEntity,
  entityOf(userIdentities),
  entityOf(memberships),
  entityOf(deactivatedMembers),
  entityOf(externalIds),
  invitationEntity,
  entityOf(apiKeys),
  entityOf(creditAccounts),
  entityOf(creditLog),
  entityOf(provisionalCharges),
  entityOf(reservations),
  entityOf(settlements),
  auditEntity,
  entityOf(auditSeals),
  entityOf(auditStreams),
  ...runtimeEntities,
];
