import type * as contracts from '@stanza/contracts';
import type { HttpOperation, InputOf, Method, ReplyOf } from '@stanza/contracts';

/** An operation of the API as the console calls it. Its types are those of the contract, and cost the page nothing. */
export interface Operation<O extends HttpOperation> {
  readonly id: string;
  readonly method: Method;
  /** Without `/v1`, parameters in braces. */
  readonly path: string;
  /** Types alone; there is never a value. */
  readonly types?: { input: InputOf<O>; reply: ReplyOf<O> };
}

type C = typeof contracts;

/** The operations among what the contract exports. */
type OperationName = { [K in keyof C]: C[K] extends HttpOperation ? K : never }[keyof C];

/** An id is the name of its declaration in lower case. */
const operation = <N extends OperationName>(
  name: N,
  method: Method,
  path: string,
): Operation<Extract<C[N], HttpOperation>> => ({
  id: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  method,
  path,
});

/** What the screens call; a test compares each with the registry. */
export const api = {
  // Templates
  listTemplates: operation('listTemplates', 'GET', '/templates'),
  searchTemplates: operation('searchTemplates', 'GET', '/search/templates'),
  createTemplate: operation('createTemplate', 'POST', '/templates'),
  getTemplate: operation('getTemplate', 'GET', '/templates/{id}'),
  updateTemplate: operation('updateTemplate', 'PATCH', '/templates/{id}'),
  duplicateTemplate: operation('duplicateTemplate', 'POST', '/templates/{id}/duplicate'),
  archiveTemplate: operation('archiveTemplate', 'POST', '/templates/{id}/archive'),
  unarchiveTemplate: operation('unarchiveTemplate', 'POST', '/templates/{id}/unarchive'),
  setAgentSends: operation('setAgentSends', 'PUT', '/templates/{id}/agent-sends'),
  deleteTemplate: operation('deleteTemplate', 'DELETE', '/templates/{id}'),
  listVersions: operation('listTemplateVersions', 'GET', '/templates/{id}/versions'),
  getVersion: operation('getTemplateVersion', 'GET', '/templates/{id}/versions/{version_id}'),
  readInputs: operation('getInputSchema', 'GET', '/templates/{id}/input-schema'),
  getSample: operation('getSampleData', 'GET', '/sample-data/{id}'),
  updateSample: operation('updateSampleData', 'PATCH', '/sample-data/{id}'),
  getDraft: operation('getTemplateDraft', 'GET', '/templates/{id}/draft'),
  putDraft: operation('putTemplateDraft', 'PUT', '/templates/{id}/draft'),
  discardDraft: operation('deleteTemplateDraft', 'DELETE', '/templates/{id}/draft'),
  saveDraft: operation('saveTemplateDraft', 'POST', '/templates/{id}/draft/save'),
  activateVersion: operation(
    'activateTemplateVersion',
    'POST',
    '/templates/{id}/versions/{version_id}/activate',
  ),
  listProposals: operation('listProposals', 'GET', '/proposals'),
  listTemplateProposals: operation('listTemplateProposals', 'GET', '/templates/{id}/proposals'),
  propose: operation('proposeTemplateVersion', 'POST', '/templates/{id}/proposals'),
  acceptProposal: operation(
    'acceptTemplateProposal',
    'POST',
    '/templates/{id}/proposals/{proposal_id}/accept',
  ),
  declineProposal: operation(
    'declineTemplateProposal',
    'POST',
    '/templates/{id}/proposals/{proposal_id}/decline',
  ),
  getUse: operation('getTemplateUse', 'GET', '/templates/{id}/use'),
  getImpact: operation('getTemplateImpact', 'POST', '/templates/{id}/impact'),
  send: operation('sendTemplate', 'POST', '/templates/send'),
  testSend: operation('testSendBlocks', 'POST', '/templates/test-send'),
  promote: operation('promoteTemplates', 'POST', '/templates/promote'),

  // Modals
  listModals: operation('listModals', 'GET', '/modals'),
  getModal: operation('getModal', 'GET', '/modals/{id}'),
  createModal: operation('createModal', 'POST', '/modals'),
  updateModal: operation('updateModal', 'PATCH', '/modals/{id}'),
  appendModalVersion: operation('appendModalVersion', 'POST', '/modals/{id}/versions'),
  getModalVersion: operation('getModalVersion', 'GET', '/modals/{id}/versions/{version_id}'),
  previewModal: operation('previewModal', 'POST', '/modals/{id}/preview'),
  listModalVersions: operation('listModalVersions', 'GET', '/modals/{id}/versions'),
  activateModalVersion: operation(
    'activateModalVersion',
    'POST',
    '/modals/{id}/versions/{version_id}/activate',
  ),
  deleteModal: operation('deleteModal', 'DELETE', '/modals/{id}'),

  // Messages and what people did with them
  listMessages: operation('listMessages', 'GET', '/messages'),
  getMessage: operation('getMessage', 'GET', '/messages/{id}'),
  updateMessage: operation('updateMessage', 'POST', '/messages/{id}/update'),
  deleteMessage: operation('deleteMessage', 'DELETE', '/messages/{id}'),
  listInteractions: operation('listInteractions', 'GET', '/interactions'),

  // Queues
  listQueues: operation('listQueues', 'GET', '/queues'),
  createQueue: operation('createQueue', 'POST', '/queues'),
  getQueue: operation('getQueue', 'GET', '/queues/{id}'),
  updateQueue: operation('updateQueue', 'PATCH', '/queues/{id}'),
  deleteQueue: operation('deleteQueue', 'DELETE', '/queues/{id}'),
  listBatches: operation('listBatches', 'GET', '/queues/{id}/batches'),
  getBatch: operation('getBatch', 'GET', '/queues/{id}/batches/{batch_id}'),
  retryBatch: operation('retryBatch', 'POST', '/queues/{id}/batches/{batch_id}/retry'),
  pushEvents: operation('pushEvents', 'POST', '/queues/{id}/events'),
  flushQueue: operation('flushQueue', 'POST', '/queues/{id}/flush'),

  // Schedules
  listSchedules: operation('listScheduledMessages', 'GET', '/scheduled-messages'),
  createSchedule: operation('createScheduledMessage', 'POST', '/scheduled-messages'),
  getSchedule: operation('getScheduledMessage', 'GET', '/scheduled-messages/{id}'),
  updateSchedule: operation('updateScheduledMessage', 'PATCH', '/scheduled-messages/{id}'),
  pauseSchedule: operation('pauseScheduledMessage', 'POST', '/scheduled-messages/{id}/pause'),
  resumeSchedule: operation('resumeScheduledMessage', 'POST', '/scheduled-messages/{id}/resume'),
  runScheduleNow: operation('runScheduledMessageNow', 'POST', '/scheduled-messages/{id}/run-now'),
  cancelSchedule: operation('cancelScheduledMessage', 'DELETE', '/scheduled-messages/{id}'),

  // Destinations
  listDestinations: operation('listDestinations', 'GET', '/destinations'),
  createDestination: operation('createDestination', 'POST', '/destinations'),
  getDestination: operation('getDestination', 'GET', '/destinations/{id}'),
  updateDestination: operation('updateDestination', 'PATCH', '/destinations/{id}'),
  deleteDestination: operation('deleteDestination', 'DELETE', '/destinations/{id}'),
  testDestination: operation('testDestination', 'POST', '/destinations/{id}/test'),
  listDeliveries: operation('listDeliveries', 'GET', '/destinations/{id}/deliveries'),
  retryDelivery: operation('retryDelivery', 'POST', '/destinations/{id}/deliveries/{delivery_id}/retry'),
  getSigningSecret: operation('getSigningSecret', 'GET', '/destinations/{id}/signing-secret'),
  rotateSigningSecret: operation('rotateSigningSecret', 'POST', '/destinations/{id}/signing-secret/rotate'),

  // Events that destinations are told of
  listEventSubscriptions: operation('listEventSubscriptions', 'GET', '/event-subscriptions'),
  createEventSubscription: operation('createEventSubscription', 'POST', '/event-subscriptions'),
  updateEventSubscription: operation('updateEventSubscription', 'PATCH', '/event-subscriptions/{id}'),
  deleteEventSubscription: operation('deleteEventSubscription', 'DELETE', '/event-subscriptions/{id}'),
  listEvents: operation('listEvents', 'GET', '/events'),

  // The connection to the chat platform
  getConnection: operation('getChatConnection', 'GET', '/chat-connection'),
  replaceConnection: operation('replaceChatConnection', 'PUT', '/chat-connection'),
  deleteConnection: operation('deleteChatConnection', 'DELETE', '/chat-connection'),
  installConnection: operation('installChatConnection', 'POST', '/chat-connection/install'),
  testConnection: operation('testChatConnection', 'POST', '/chat-connection/test'),
  listChannels: operation('listChatChannels', 'GET', '/chat-connection/channels'),
  listPeople: operation('listChatPeople', 'GET', '/chat-connection/people'),
  getTestTargets: operation('getTestTargets', 'GET', '/chat-connection/test-targets'),
  replaceTestTargets: operation('replaceTestTargets', 'PUT', '/chat-connection/test-targets'),

  // Keys
  listKeys: operation('listApiKeys', 'GET', '/api-keys'),
  createKey: operation('createApiKey', 'POST', '/api-keys'),
  revokeKey: operation('revokeApiKey', 'DELETE', '/api-keys/{id}'),

  // People
  listMembers: operation('listMembers', 'GET', '/organizations/{id}/members'),
  updateMember: operation('updateMember', 'PATCH', '/organizations/{id}/members/{user_id}'),
  removeMember: operation('deleteUser', 'DELETE', '/users/{id}'),
  listInvitations: operation('listInvitations', 'GET', '/organizations/{id}/invitations'),
  invite: operation('inviteMember', 'POST', '/organizations/{id}/invite'),
  revokeInvitation: operation(
    'revokeInvitation',
    'DELETE',
    '/organizations/{id}/invitations/{invitation_id}',
  ),
  transferOwnership: operation('transferOwnership', 'POST', '/organizations/{id}/transfer-ownership'),

  // Credits
  getCredits: operation('getCredits', 'GET', '/credits/{organization_id}'),
  listCreditLog: operation('listCreditLog', 'GET', '/credits/{organization_id}/logs'),
  getUsage: operation('getUsage', 'GET', '/usage'),
  getUsageLimits: operation('getUsageLimits', 'GET', '/usage/limits'),

  // The audit log
  listAuditLog: operation('listAuditLog', 'GET', '/audit-log'),

  // Settings
  getOrganization: operation('getOrganization', 'GET', '/organizations/{id}'),
  updateOrganization: operation('updateOrganization', 'PATCH', '/organizations/{id}'),
  deleteOrganization: operation('deleteOrganization', 'DELETE', '/organizations/{id}'),
  getProfile: operation('getProfile', 'GET', '/users/profile'),
  updateProfile: operation('updateProfile', 'PATCH', '/users/profile'),
} as const;
