import { runtimeEntities } from '@stanza/runtime';
import type { EntitySchema } from 'typeorm';
import { accessEntities } from './access-entities.ts';
import { auditEntity } from './audit-entity.ts';
import { auditStreamEntity } from './audit-stream-entity.ts';
import { creditEntities } from './credit-entities.ts';
import { deactivatedMemberEntity } from './deactivated-member-entity.ts';
import { erasureEntity } from './erasure-entity.ts';
import { invitationEntity } from './invitation-entity.ts';

/** Every entity of the schema `organization`. */
export const entities: readonly EntitySchema[] = [
  ...accessEntities,
  ...creditEntities,
  auditEntity,
  auditStreamEntity,
  invitationEntity,
  deactivatedMemberEntity,
  erasureEntity,
  ...runtimeEntities,
];
