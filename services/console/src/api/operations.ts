import type * as contracts from '@stanza/contracts';
import type { HttpOperation, InputOf, Method, ReplyOf } from '@stanza/contracts';

/** An operation of the API as the console calls it. Its types are those of the contract, and cost the page nothing. */
export interface Operation<O extends HttpOperation> {
  readonly id: string;
  readonly method: Method;
  /** Without `/v1`, parameters in braces. */
  readonly path: string;
  /** What it did, as a sentence, where the screen that asks for it does not say so itself. */
  readonly done?: string;
  /** Types alone; there is never a value. */
  readonly types?: { input: InputOf<O>; reply: ReplyOf<O> };
}

type C = typeof contracts;

/** The operations among what the contract exports. */
type OperationName = { [K in keyof C]: C[K] extends HttpOperation ? K : never }[keyof C];

/** An id is the name of its declaration in lower case; `done` is what the operation did, as a sentence. */
const operation = <N extends OperationName>(
  name: N,
  method: Method,
  path: string,
  done?: string,
): Operation<Extract<C[N], HttpOperation>> => ({
  id: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  method,
  path,
  ...(done !== undefined && { done }),
});

/** What the screens call; a test compares each with the registry. */
export const api = {
  // Templates
  listTemplates: operation('listTemplates', 'GET', '/templates'),
  searchTemplates: operation('searchTemplates', 'GET', '/search/templates'),
  createTemplate: operation('createTemplate', 'POST', '/templates'),
  getTemplate: operation('getTemplate', 'GET', '/templates/{id}'),
  updateTemplate: operation('updateTemplate', 'PATCH', '/templates/{id}', 'The key is changed.'),
  duplicateTemplate: operation(
    'duplicateTemplate',
    'POST',
    '/templates/{id}/duplicate',
    'The copy is here as a draft.',
  ),
  archiveTemplate: operation(
    'archiveTemplate',
    'POST',
    '/templates/{id}/archive',
    'The template is archived.',
  ),
  unarchiveTemplate: operation('unarchiveTemplate', 'POST', '/templates/{id}/unarchive'),
  setAgentSends: operation('setAgentSends', 'PUT', '/templates/{id}/agent-sends'),
  deleteTemplate: operation('deleteTemplate', 'DELETE', '/templates/{id}', 'The template is deleted.'),
  listVersions: operation('listTemplateVersions', 'GET', '/templates/{id}/versions'),
  listActivations: operation('listTemplateActivations', 'GET', '/templates/{id}/activations'),
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
  updateModal: operation('updateModal', 'PATCH', '/modals/{id}', 'The modal is saved.'),
  appendModalVersion: operation('appendModalVersion', 'POST', '/modals/{id}/versions'),
  getModalVersion: operation('getModalVersion', 'GET', '/modals/{id}/versions/{version_id}'),
  previewModal: operation('previewModal', 'POST', '/modals/{id}/preview'),
  listModalVersions: operation('listModalVersions', 'GET', '/modals/{id}/versions'),
  activateModalVersion: operation(
    'activateModalVersion',
    'POST',
    '/modals/{id}/versions/{version_id}/activate',
  ),
  deleteModal: operation('deleteModal', 'DELETE', '/modals/{id}', 'The modal is deleted.'),

  // Messages and what people did with them
  listMessages: operation('listMessages', 'GET', '/messages'),
  getMessage: operation('getMessage', 'GET', '/messages/{id}'),
  updateMessage: operation('updateMessage', 'POST', '/messages/{id}/update'),
  deleteMessage: operation('deleteMessage', 'DELETE', '/messages/{id}'),
  listInteractions: operation('listInteractions', 'GET', '/interactions'),

  // Queues
  listQueues: operation('listQueues', 'GET', '/queues'),
  createQueue: operation('createQueue', 'POST', '/queues', 'The queue is created.'),
  getQueue: operation('getQueue', 'GET', '/queues/{id}'),
  updateQueue: operation('updateQueue', 'PATCH', '/queues/{id}', 'The queue is saved.'),
  deleteQueue: operation('deleteQueue', 'DELETE', '/queues/{id}', 'The queue is deleted.'),
  listBatches: operation('listBatches', 'GET', '/queues/{id}/batches'),
  getBatch: operation('getBatch', 'GET', '/queues/{id}/batches/{batch_id}'),
  retryBatch: operation(
    'retryBatch',
    'POST',
    '/queues/{id}/batches/{batch_id}/retry',
    'The digest is sent again: its batch says what comes of it.',
  ),
  pushEvents: operation('pushEvents', 'POST', '/queues/{id}/events', 'The events are in the queue.'),
  flushQueue: operation(
    'flushQueue',
    'POST',
    '/queues/{id}/flush',
    'The digest is sent: its batch says what comes of it.',
  ),

  // Schedules
  listSchedules: operation('listScheduledMessages', 'GET', '/scheduled-messages'),
  createSchedule: operation(
    'createScheduledMessage',
    'POST',
    '/scheduled-messages',
    'The schedule is created.',
  ),
  getSchedule: operation('getScheduledMessage', 'GET', '/scheduled-messages/{id}'),
  updateSchedule: operation(
    'updateScheduledMessage',
    'PATCH',
    '/scheduled-messages/{id}',
    'The schedule is saved.',
  ),
  pauseSchedule: operation(
    'pauseScheduledMessage',
    'POST',
    '/scheduled-messages/{id}/pause',
    'The schedule is paused.',
  ),
  resumeSchedule: operation(
    'resumeScheduledMessage',
    'POST',
    '/scheduled-messages/{id}/resume',
    'The schedule goes on.',
  ),
  runScheduleNow: operation('runScheduledMessageNow', 'POST', '/scheduled-messages/{id}/run-now'),
  cancelSchedule: operation(
    'cancelScheduledMessage',
    'DELETE',
    '/scheduled-messages/{id}',
    'The schedule is cancelled.',
  ),

  // Destinations
  listDestinations: operation('listDestinations', 'GET', '/destinations'),
  createDestination: operation('createDestination', 'POST', '/destinations', 'The destination is created.'),
  getDestination: operation('getDestination', 'GET', '/destinations/{id}'),
  updateDestination: operation(
    'updateDestination',
    'PATCH',
    '/destinations/{id}',
    'The destination is saved.',
  ),
  deleteDestination: operation(
    'deleteDestination',
    'DELETE',
    '/destinations/{id}',
    'The destination is deleted.',
  ),
  testDestination: operation('testDestination', 'POST', '/destinations/{id}/test'),
  listDeliveries: operation('listDeliveries', 'GET', '/destinations/{id}/deliveries'),
  retryDelivery: operation(
    'retryDelivery',
    'POST',
    '/destinations/{id}/deliveries/{delivery_id}/retry',
    'The delivery is tried again.',
  ),
  getSigningSecret: operation('getSigningSecret', 'GET', '/destinations/{id}/signing-secret'),
  rotateSigningSecret: operation('rotateSigningSecret', 'POST', '/destinations/{id}/signing-secret/rotate'),

  // Events that destinations are told of
  listEventSubscriptions: operation('listEventSubscriptions', 'GET', '/event-subscriptions'),
  createEventSubscription: operation(
    'createEventSubscription',
    'POST',
    '/event-subscriptions',
    'The subscription is created.',
  ),
  updateEventSubscription: operation(
    'updateEventSubscription',
    'PATCH',
    '/event-subscriptions/{id}',
    'The subscription is saved.',
  ),
  deleteEventSubscription: operation(
    'deleteEventSubscription',
    'DELETE',
    '/event-subscriptions/{id}',
    'The subscription is deleted.',
  ),
  listEvents: operation('listEvents', 'GET', '/events'),

  // The connection to the chat platform
  getConnection: operation('getChatConnection', 'GET', '/chat-connection'),
  replaceConnection: operation(
    'replaceChatConnection',
    'PUT',
    '/chat-connection',
    'The workspace is connected.',
  ),
  deleteConnection: operation(
    'deleteChatConnection',
    'DELETE',
    '/chat-connection',
    'The workspace is disconnected.',
  ),
  installConnection: operation('installChatConnection', 'POST', '/chat-connection/install'),
  testConnection: operation('testChatConnection', 'POST', '/chat-connection/test'),
  listChannels: operation('listChatChannels', 'GET', '/chat-connection/channels'),
  listPeople: operation('listChatPeople', 'GET', '/chat-connection/people'),
  getTestTargets: operation('getTestTargets', 'GET', '/chat-connection/test-targets'),
  replaceTestTargets: operation(
    'replaceTestTargets',
    'PUT',
    '/chat-connection/test-targets',
    'The targets are saved.',
  ),

  // Keys
  listKeys: operation('listApiKeys', 'GET', '/api-keys'),
  createKey: operation('createApiKey', 'POST', '/api-keys'),
  revokeKey: operation('revokeApiKey', 'DELETE', '/api-keys/{id}', 'The key is revoked.'),

  // People
  listMembers: operation('listMembers', 'GET', '/organizations/{id}/members'),
  updateMember: operation(
    'updateMember',
    'PATCH',
    '/organizations/{id}/members/{user_id}',
    'The member is changed.',
  ),
  removeMember: operation('deleteUser', 'DELETE', '/users/{id}', 'The member is removed.'),
  listInvitations: operation('listInvitations', 'GET', '/organizations/{id}/invitations'),
  invite: operation('inviteMember', 'POST', '/organizations/{id}/invite'),
  revokeInvitation: operation(
    'revokeInvitation',
    'DELETE',
    '/organizations/{id}/invitations/{invitation_id}',
  ),
  transferOwnership: operation(
    'transferOwnership',
    'POST',
    '/organizations/{id}/transfer-ownership',
    'The organization has a new owner.',
  ),

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
  updateProfile: operation('updateProfile', 'PATCH', '/users/profile', 'Your name is saved.'),
} as const;
