import type { HttpOperation, InternalOperation, Operation } from './operation.ts';
import * as actors from './operations/actors.ts';
import * as administration from './operations/administration.ts';
import * as apiKeys from './operations/api-keys.ts';
import * as audit from './operations/audit.ts';
import * as authentication from './operations/authentication.ts';
import * as batches from './operations/batches.ts';
import * as chatConnection from './operations/chat-connection.ts';
import * as chatInstall from './operations/chat-install.ts';
import * as compile from './operations/compile.ts';
import * as credits from './operations/credits.ts';
import * as deadLetters from './operations/dead-letters.ts';
import * as destinations from './operations/destinations.ts';
import * as encryption from './operations/encryption.ts';
import * as entities from './operations/entities.ts';
import * as idempotency from './operations/idempotency.ts';
import * as identities from './operations/identities.ts';
import * as inputs from './operations/input-schema.ts';
import * as interactions from './operations/interactions.ts';
import * as invitations from './operations/invitations.ts';
import * as ledger from './operations/ledger.ts';
import * as maintenance from './operations/maintenance.ts';
import * as members from './operations/members.ts';
import * as messages from './operations/messages.ts';
import * as modalViews from './operations/modal-views.ts';
import * as modals from './operations/modals.ts';
import * as life from './operations/organization-life.ts';
import * as organizations from './operations/organizations.ts';
import * as queues from './operations/queues.ts';
import * as rendering from './operations/rendering.ts';
import * as sampleData from './operations/sample-data.ts';
import * as scheduled from './operations/scheduled-messages.ts';
import * as scim from './operations/scim.ts';
import * as search from './operations/search.ts';
import * as bulk from './operations/send-bulk.ts';
import * as templates from './operations/templates.ts';

/** Every operation with a route, in the order of the documentation. */
export const httpOperations: readonly HttpOperation[] = [
  organizations.validateToken,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.revokeApiKey,
  life.getOrganization,
  life.updateOrganization,
  life.deleteOrganization,
  members.listMembers,
  members.updateMember,
  invitations.inviteMember,
  invitations.listInvitations,
  invitations.revokeInvitation,
  invitations.acceptInvitation,
  members.transferOwnership,
  members.getProfile,
  members.updateProfile,
  members.getUser,
  members.deleteUser,
  scim.listScimUsers,
  scim.getScimUser,
  scim.patchScimUser,
  scim.replaceScimUser,
  scim.deleteScimUser,
  scim.getScimConfig,
  templates.createTemplate,
  templates.listTemplates,
  compile.validateTemplate,
  compile.previewTemplate,
  compile.getBlockSchema,
  compile.compileTemplate,
  messages.sendTemplate,
  bulk.sendBulk,
  templates.getTemplate,
  templates.updateTemplate,
  templates.archiveTemplate,
  templates.unarchiveTemplate,
  templates.deleteTemplate,
  templates.appendTemplateVersion,
  templates.listTemplateVersions,
  templates.getTemplateVersion,
  templates.diffTemplateVersions,
  templates.activateTemplateVersion,
  templates.listTemplateActivations,
  inputs.getInputSchema,
  inputs.getInputSchemaAutomation,
  search.searchTemplates,
  search.searchEntities,
  entities.listEntities,
  entities.createEntity,
  entities.getEntity,
  entities.updateEntity,
  entities.deleteEntity,
  entities.createEntityField,
  entities.updateEntityField,
  entities.deleteEntityField,
  sampleData.listSampleData,
  sampleData.createSampleData,
  sampleData.getSampleData,
  sampleData.updateSampleData,
  sampleData.deleteSampleData,
  modals.createModal,
  modals.listModals,
  modals.getModal,
  modals.updateModal,
  modals.deleteModal,
  modals.appendModalVersion,
  modals.listModalVersions,
  modals.getModalVersion,
  modals.activateModalVersion,
  modals.previewModal,
  messages.listMessages,
  messages.getMessage,
  chatConnection.getChatConnection,
  chatConnection.replaceChatConnection,
  chatConnection.deleteChatConnection,
  chatConnection.testChatConnection,
  chatInstall.installChatConnection,
  chatInstall.chatOauthCallback,
  chatInstall.confirmChatConnection,
  destinations.listDestinations,
  destinations.createDestination,
  destinations.getDestination,
  destinations.updateDestination,
  destinations.deleteDestination,
  destinations.testDestination,
  destinations.listDeliveries,
  destinations.retryDelivery,
  destinations.getSigningSecret,
  destinations.rotateSigningSecret,
  scheduled.createScheduledMessage,
  scheduled.listScheduledMessages,
  scheduled.getScheduledMessage,
  scheduled.cancelScheduledMessage,
  interactions.receiveInteraction,
  interactions.listInteractions,
  credits.getCredits,
  credits.listCreditLog,
  credits.getUsage,
  credits.getUsageLimits,
  audit.listAuditLog,
  audit.exportAuditLog,
  queues.createQueue,
  queues.listQueues,
  queues.getQueue,
  queues.updateQueue,
  queues.deleteQueue,
  queues.pushEvents,
  queues.listBatches,
  queues.getBatch,
  queues.flushQueue,
  queues.retryBatch,
];

/** Every operation that has no route. */
export const internalOperations: readonly InternalOperation[] = [
  authentication.authenticateKey,
  identities.authenticateSession,
  identities.bindIdentity,
  actors.describeActor,
  batches.getTier,
  credits.countDailyEvents,
  credits.showCreditLog,
  ledger.chargeCredits,
  ledger.confirmCharges,
  ledger.reserveCredits,
  ledger.reportReservations,
  rendering.resolveLiveVersions,
  rendering.getVersionContent,
  rendering.getPreviewSource,
  rendering.getInputSource,
  rendering.checkBlocks,
  rendering.renderTemplate,
  interactions.renderInteraction,
  modalViews.checkViews,
  modalViews.getModalSource,
  modalViews.renderModal,
  batches.getBatchContent,
  batches.listTemplateQueues,
  scheduled.listTemplateSchedules,
  batches.listDestinationQueues,
  destinations.checkDestination,
  administration.createOrganization,
  administration.addMember,
  administration.createKey,
  administration.revokeKey,
  administration.setOrganizationStatus,
  life.setOrganizationTier,
  life.showOrganization,
  audit.exportAudit,
  life.getOrganizationStatus,
  administration.grantCredits,
  administration.listOrganizations,
  chatConnection.putChatConnection,
  encryption.rotateEncryption,
  administration.countMessages,
  idempotency.listIdempotencyRecords,
  idempotency.getIdempotencyRecord,
  idempotency.settleIdempotencyRecord,
  idempotency.releaseIdempotencyRecord,
  idempotency.reportOperation,
  idempotency.confirmRememberedCharges,
  maintenance.setMaintenance,
  maintenance.getMaintenance,
  ...Object.values(deadLetters.listDeadLetters),
  ...Object.values(deadLetters.resolveDeadLetter),
];

/** Every operation of every service. */
export const operations: readonly Operation[] = [...httpOperations, ...internalOperations];
