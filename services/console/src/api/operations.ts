import type * as contracts from '@stanza/contracts';
import type { HttpOperation, InputOf, Method, ReplyOf } from '@stanza/contracts';

/** An operation of the API as the console calls it. Its types are those of the contract, and cost the page nothing. */
export interface Operation<O extends HttpOperation> {
  readonly id: O['id'];
  readonly method: Method;
  /** Without `/v1`, parameters in braces. */
  readonly path: string;
  /** Types alone; there is never a value. */
  readonly types?: { input: InputOf<O>; reply: ReplyOf<O> };
}

const operation = <O extends HttpOperation>(id: O['id'], method: Method, path: string): Operation<O> => ({
  id,
  method,
  path,
});

type C = typeof contracts;

/** What the screens call; a test compares each with the registry. */
export const api = {
  // Templates
  listTemplates: operation<C['listTemplates']>('list-templates', 'GET', '/templates'),
  searchTemplates: operation<C['searchTemplates']>('search-templates', 'GET', '/search/templates'),
  createTemplate: operation<C['createTemplate']>('create-template', 'POST', '/templates'),
  getTemplate: operation<C['getTemplate']>('get-template', 'GET', '/templates/{id}'),
  duplicateTemplate: operation<C['duplicateTemplate']>(
    'duplicate-template',
    'POST',
    '/templates/{id}/duplicate',
  ),
  archiveTemplate: operation<C['archiveTemplate']>('archive-template', 'POST', '/templates/{id}/archive'),
  unarchiveTemplate: operation<C['unarchiveTemplate']>(
    'unarchive-template',
    'POST',
    '/templates/{id}/unarchive',
  ),
  setAgentSends: operation<C['setAgentSends']>('set-agent-sends', 'PUT', '/templates/{id}/agent-sends'),
  deleteTemplate: operation<C['deleteTemplate']>('delete-template', 'DELETE', '/templates/{id}'),
  listVersions: operation<C['listTemplateVersions']>(
    'list-template-versions',
    'GET',
    '/templates/{id}/versions',
  ),
  getVersion: operation<C['getTemplateVersion']>(
    'get-template-version',
    'GET',
    '/templates/{id}/versions/{version_id}',
  ),
  getSample: operation<C['getSampleData']>('get-sample-data', 'GET', '/sample-data/{id}'),
  updateSample: operation<C['updateSampleData']>('update-sample-data', 'PATCH', '/sample-data/{id}'),
  getDraft: operation<C['getTemplateDraft']>('get-template-draft', 'GET', '/templates/{id}/draft'),
  putDraft: operation<C['putTemplateDraft']>('put-template-draft', 'PUT', '/templates/{id}/draft'),
  discardDraft: operation<C['deleteTemplateDraft']>(
    'delete-template-draft',
    'DELETE',
    '/templates/{id}/draft',
  ),
  saveDraft: operation<C['saveTemplateDraft']>('save-template-draft', 'POST', '/templates/{id}/draft/save'),
  activateVersion: operation<C['activateTemplateVersion']>(
    'activate-template-version',
    'POST',
    '/templates/{id}/versions/{version_id}/activate',
  ),
  listProposals: operation<C['listProposals']>('list-proposals', 'GET', '/proposals'),
  listTemplateProposals: operation<C['listTemplateProposals']>(
    'list-template-proposals',
    'GET',
    '/templates/{id}/proposals',
  ),
  propose: operation<C['proposeTemplateVersion']>(
    'propose-template-version',
    'POST',
    '/templates/{id}/proposals',
  ),
  acceptProposal: operation<C['acceptTemplateProposal']>(
    'accept-template-proposal',
    'POST',
    '/templates/{id}/proposals/{proposal_id}/accept',
  ),
  declineProposal: operation<C['declineTemplateProposal']>(
    'decline-template-proposal',
    'POST',
    '/templates/{id}/proposals/{proposal_id}/decline',
  ),
  getUse: operation<C['getTemplateUse']>('get-template-use', 'GET', '/templates/{id}/use'),
  getImpact: operation<C['getTemplateImpact']>('get-template-impact', 'POST', '/templates/{id}/impact'),
  testSend: operation<C['testSendBlocks']>('test-send-blocks', 'POST', '/templates/test-send'),
  promote: operation<C['promoteTemplates']>('promote-templates', 'POST', '/templates/promote'),

  // Modals
  listModals: operation<C['listModals']>('list-modals', 'GET', '/modals'),
  getModal: operation<C['getModal']>('get-modal', 'GET', '/modals/{id}'),
  createModal: operation<C['createModal']>('create-modal', 'POST', '/modals'),
  updateModal: operation<C['updateModal']>('update-modal', 'PATCH', '/modals/{id}'),
  appendModalVersion: operation<C['appendModalVersion']>(
    'append-modal-version',
    'POST',
    '/modals/{id}/versions',
  ),
  getModalVersion: operation<C['getModalVersion']>(
    'get-modal-version',
    'GET',
    '/modals/{id}/versions/{version_id}',
  ),
  previewModal: operation<C['previewModal']>('preview-modal', 'POST', '/modals/{id}/preview'),
  listModalVersions: operation<C['listModalVersions']>('list-modal-versions', 'GET', '/modals/{id}/versions'),
  activateModalVersion: operation<C['activateModalVersion']>(
    'activate-modal-version',
    'POST',
    '/modals/{id}/versions/{version_id}/activate',
  ),
  deleteModal: operation<C['deleteModal']>('delete-modal', 'DELETE', '/modals/{id}'),

  // Messages and what people did with them
  listMessages: operation<C['listMessages']>('list-messages', 'GET', '/messages'),
  getMessage: operation<C['getMessage']>('get-message', 'GET', '/messages/{id}'),
  listInteractions: operation<C['listInteractions']>('list-interactions', 'GET', '/interactions'),

  // Queues
  listQueues: operation<C['listQueues']>('list-queues', 'GET', '/queues'),
  createQueue: operation<C['createQueue']>('create-queue', 'POST', '/queues'),
  getQueue: operation<C['getQueue']>('get-queue', 'GET', '/queues/{id}'),
  updateQueue: operation<C['updateQueue']>('update-queue', 'PATCH', '/queues/{id}'),
  deleteQueue: operation<C['deleteQueue']>('delete-queue', 'DELETE', '/queues/{id}'),
  listBatches: operation<C['listBatches']>('list-batches', 'GET', '/queues/{id}/batches'),
  getBatch: operation<C['getBatch']>('get-batch', 'GET', '/queues/{id}/batches/{batch_id}'),
  retryBatch: operation<C['retryBatch']>('retry-batch', 'POST', '/queues/{id}/batches/{batch_id}/retry'),
  pushEvents: operation<C['pushEvents']>('push-events', 'POST', '/queues/{id}/events'),
  flushQueue: operation<C['flushQueue']>('flush-queue', 'POST', '/queues/{id}/flush'),

  // Schedules
  listSchedules: operation<C['listScheduledMessages']>(
    'list-scheduled-messages',
    'GET',
    '/scheduled-messages',
  ),
  createSchedule: operation<C['createScheduledMessage']>(
    'create-scheduled-message',
    'POST',
    '/scheduled-messages',
  ),
  getSchedule: operation<C['getScheduledMessage']>(
    'get-scheduled-message',
    'GET',
    '/scheduled-messages/{id}',
  ),
  cancelSchedule: operation<C['cancelScheduledMessage']>(
    'cancel-scheduled-message',
    'DELETE',
    '/scheduled-messages/{id}',
  ),

  // Destinations
  listDestinations: operation<C['listDestinations']>('list-destinations', 'GET', '/destinations'),
  createDestination: operation<C['createDestination']>('create-destination', 'POST', '/destinations'),
  getDestination: operation<C['getDestination']>('get-destination', 'GET', '/destinations/{id}'),
  updateDestination: operation<C['updateDestination']>('update-destination', 'PATCH', '/destinations/{id}'),
  deleteDestination: operation<C['deleteDestination']>('delete-destination', 'DELETE', '/destinations/{id}'),
  testDestination: operation<C['testDestination']>('test-destination', 'POST', '/destinations/{id}/test'),
  listDeliveries: operation<C['listDeliveries']>('list-deliveries', 'GET', '/destinations/{id}/deliveries'),
  retryDelivery: operation<C['retryDelivery']>(
    'retry-delivery',
    'POST',
    '/destinations/{id}/deliveries/{delivery_id}/retry',
  ),
  getSigningSecret: operation<C['getSigningSecret']>(
    'get-signing-secret',
    'GET',
    '/destinations/{id}/signing-secret',
  ),
  rotateSigningSecret: operation<C['rotateSigningSecret']>(
    'rotate-signing-secret',
    'POST',
    '/destinations/{id}/signing-secret/rotate',
  ),

  // Events that destinations are told of
  listEventSubscriptions: operation<C['listEventSubscriptions']>(
    'list-event-subscriptions',
    'GET',
    '/event-subscriptions',
  ),
  createEventSubscription: operation<C['createEventSubscription']>(
    'create-event-subscription',
    'POST',
    '/event-subscriptions',
  ),
  updateEventSubscription: operation<C['updateEventSubscription']>(
    'update-event-subscription',
    'PATCH',
    '/event-subscriptions/{id}',
  ),
  deleteEventSubscription: operation<C['deleteEventSubscription']>(
    'delete-event-subscription',
    'DELETE',
    '/event-subscriptions/{id}',
  ),
  listEvents: operation<C['listEvents']>('list-events', 'GET', '/events'),

  // The connection to the chat platform
  getConnection: operation<C['getChatConnection']>('get-chat-connection', 'GET', '/chat-connection'),
  replaceConnection: operation<C['replaceChatConnection']>(
    'replace-chat-connection',
    'PUT',
    '/chat-connection',
  ),
  deleteConnection: operation<C['deleteChatConnection']>(
    'delete-chat-connection',
    'DELETE',
    '/chat-connection',
  ),
  installConnection: operation<C['installChatConnection']>(
    'install-chat-connection',
    'POST',
    '/chat-connection/install',
  ),
  testConnection: operation<C['testChatConnection']>('test-chat-connection', 'POST', '/chat-connection/test'),
  getTestTargets: operation<C['getTestTargets']>('get-test-targets', 'GET', '/chat-connection/test-targets'),
  replaceTestTargets: operation<C['replaceTestTargets']>(
    'replace-test-targets',
    'PUT',
    '/chat-connection/test-targets',
  ),

  // Keys
  listKeys: operation<C['listApiKeys']>('list-api-keys', 'GET', '/api-keys'),
  createKey: operation<C['createApiKey']>('create-api-key', 'POST', '/api-keys'),
  revokeKey: operation<C['revokeApiKey']>('revoke-api-key', 'DELETE', '/api-keys/{id}'),

  // People
  listMembers: operation<C['listMembers']>('list-members', 'GET', '/organizations/{id}/members'),
  updateMember: operation<C['updateMember']>(
    'update-member',
    'PATCH',
    '/organizations/{id}/members/{user_id}',
  ),
  removeMember: operation<C['deleteUser']>('delete-user', 'DELETE', '/users/{id}'),
  listInvitations: operation<C['listInvitations']>(
    'list-invitations',
    'GET',
    '/organizations/{id}/invitations',
  ),
  invite: operation<C['inviteMember']>('invite-member', 'POST', '/organizations/{id}/invite'),
  revokeInvitation: operation<C['revokeInvitation']>(
    'revoke-invitation',
    'DELETE',
    '/organizations/{id}/invitations/{invitation_id}',
  ),
  transferOwnership: operation<C['transferOwnership']>(
    'transfer-ownership',
    'POST',
    '/organizations/{id}/transfer-ownership',
  ),

  // Credits
  getCredits: operation<C['getCredits']>('get-credits', 'GET', '/credits/{organization_id}'),
  listCreditLog: operation<C['listCreditLog']>('list-credit-log', 'GET', '/credits/{organization_id}/logs'),
  getUsage: operation<C['getUsage']>('get-usage', 'GET', '/usage'),
  getUsageLimits: operation<C['getUsageLimits']>('get-usage-limits', 'GET', '/usage/limits'),

  // The audit log
  listAuditLog: operation<C['listAuditLog']>('list-audit-log', 'GET', '/audit-log'),

  // Settings
  getOrganization: operation<C['getOrganization']>('get-organization', 'GET', '/organizations/{id}'),
  updateOrganization: operation<C['updateOrganization']>(
    'update-organization',
    'PATCH',
    '/organizations/{id}',
  ),
  deleteOrganization: operation<C['deleteOrganization']>(
    'delete-organization',
    'DELETE',
    '/organizations/{id}',
  ),
  getProfile: operation<C['getProfile']>('get-profile', 'GET', '/users/profile'),
  updateProfile: operation<C['updateProfile']>('update-profile', 'PATCH', '/users/profile'),
} as const;
