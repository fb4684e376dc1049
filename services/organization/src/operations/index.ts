import type { AnyHandler } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { authenticateSession } from './authenticate-session.ts';
import { bindIdentity } from './bind-identity.ts';
import { chargeCredits } from './charge-credits.ts';
import { confirmCharges } from './confirm-charges.ts';
import { confirmRememberedCharges } from './confirm-remembered-charges.ts';
import { createKey } from './create-key.ts';
import { createOrganization } from './create-organization.ts';
import { getCredits } from './get-credits.ts';
import { getTier } from './get-tier.ts';
import { grantCredits } from './grant-credits.ts';
import { listAuditLog } from './list-audit-log.ts';
import { listOrganizations } from './list-organizations.ts';
import { reserveCredits } from './reserve-credits.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { validateToken } from './validate-token.ts';

/** Every operation that the service answers. */
export const operations = (parts: Parts): AnyHandler[] => [
  authenticateKey(parts),
  authenticateSession(parts),
  bindIdentity(parts),
  validateToken(parts),
  createOrganization(parts),
  listOrganizations(parts),
  setOrganizationStatus(parts),
  addMember(parts),
  createKey(parts),
  revokeKey(parts),
  getCredits(parts),
  getTier(parts),
  grantCredits(parts),
  listAuditLog(parts),
  chargeCredits(parts),
  confirmCharges(parts),
  confirmRememberedCharges(parts),
  reserveCredits(parts),
];
