import type { AnyHandler, DeadLetterNeeds } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { authenticateSession } from './authenticate-session.ts';
import { bindIdentity } from './bind-identity.ts';
import { chargeCredits } from './charge-credits.ts';
import { confirmCharges } from './confirm-charges.ts';
import { confirmRememberedCharges } from './confirm-remembered-charges.ts';
import { createApiKey } from './create-api-key.ts';
import { createKey } from './create-key.ts';
import { createOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { deleteScimUser } from './delete-scim-user.ts';
import { deleteUser } from './delete-user.ts';
import { describeActor } from './describe-actor.ts';
import { exportAudit } from './export-audit.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { getCredits } from './get-credits.ts';
import { getOrganization } from './get-organization.ts';
import { getOrganizationStatus } from './get-organization-status.ts';
import { getProfile } from './get-profile.ts';
import { getScimConfig } from './get-scim-config.ts';
import { getScimUser } from './get-scim-user.ts';
import { getTier } from './get-tier.ts';
import { getUsage } from './get-usage.ts';
import { getUsageLimits } from './get-usage-limits.ts';
import { getUser } from './get-user.ts';
import { grantCredits } from './grant-credits.ts';
import { inviteMember } from './invite-member.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listAuditLog } from './list-audit-log.ts';
import { listCreditLog } from './list-credit-log.ts';
import { listInvitations } from './list-invitations.ts';
import { listMembers } from './list-members.ts';
import { listOrganizationDeadLetters } from './list-organization-dead-letters.ts';
import { listOrganizations } from './list-organizations.ts';
import { listScimUsers } from './list-scim-users.ts';
import { patchScimUser } from './patch-scim-user.ts';
import { replaceScimUser } from './replace-scim-user.ts';
import { reserveCredits } from './reserve-credits.ts';
import { resolveOrganizationDeadLetter } from './resolve-organization-dead-letter.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { setOrganizationTier } from './set-organization-tier.ts';
import { showCreditLog } from './show-credit-log.ts';
import { showOrganization } from './show-organization.ts';
import { transferOwnership } from './transfer-ownership.ts';
import { updateMember } from './update-member.ts';
import { updateOrganization } from './update-organization.ts';
import { updateProfile } from './update-profile.ts';
import { validateToken } from './validate-token.ts';

/** Every operation that the service answers. */
export const operations = (dependencies: Dependencies & DeadLetterNeeds): AnyHandler[] => [
  authenticateKey(dependencies),
  authenticateSession(dependencies),
  bindIdentity(dependencies),
  validateToken(dependencies),
  describeActor(dependencies),
  createOrganization(dependencies),
  listOrganizations(dependencies),
  setOrganizationStatus(dependencies),
  showOrganization(dependencies),
  setOrganizationTier(dependencies),
  updateOrganization(dependencies),
  getOrganization(dependencies),
  getOrganizationStatus(dependencies),
  deleteOrganization(dependencies),
  addMember(dependencies),
  createKey(dependencies),
  revokeKey(dependencies),
  getCredits(dependencies),
  getUsageLimits(dependencies),
  getUsage(dependencies),
  showCreditLog(dependencies),
  listCreditLog(dependencies),
  getTier(dependencies),
  grantCredits(dependencies),
  acceptInvitation(dependencies),
  createApiKey(dependencies),
  deleteUser(dependencies),
  getProfile(dependencies),
  getUser(dependencies),
  listScimUsers(dependencies),
  getScimUser(dependencies),
  patchScimUser(dependencies),
  replaceScimUser(dependencies),
  deleteScimUser(dependencies),
  getScimConfig(),
  inviteMember(dependencies),
  listApiKeys(dependencies),
  listInvitations(dependencies),
  listMembers(dependencies),
  revokeApiKey(dependencies),
  revokeInvitation(dependencies),
  transferOwnership(dependencies),
  updateMember(dependencies),
  updateProfile(dependencies),
  listAuditLog(dependencies),
  exportAuditLog(dependencies),
  exportAudit(dependencies),
  chargeCredits(dependencies),
  confirmCharges(dependencies),
  confirmRememberedCharges(dependencies),
  reserveCredits(dependencies),
  listOrganizationDeadLetters(dependencies),
  resolveOrganizationDeadLetter(dependencies),
];
