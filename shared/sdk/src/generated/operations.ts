// Made from the registry of operations by `npm run docs`; changes belong there.

import { Caller, part } from '../caller.ts';
import type { CallOptions, KeyedOptions, SourceOptions, StreamOptions } from '../options.ts';
import type * as types from './types.ts';

/** Every operation as a method. */
export abstract class Operations extends Caller {
  readonly apiKeys = {
    /** List the API keys of an environment, newest first. `GET /v1/api-keys` */
    list: (query?: types.ListApiKeysQuery, options?: CallOptions) => this.list<types.ApiKey, types.ListApiKeysReply>('apiKeys.list', '/api-keys', options, query),
    /** Create an API key; it is shown in this answer and never again. `POST /v1/api-keys` */
    create: (body: types.CreateApiKeyBody, options?: CallOptions) => this.call<types.CreateApiKeyReply>('change', 'apiKeys.create', 'POST', '/api-keys', options, body),
    /** Revoke an API key for good; it is refused everywhere within a second. `DELETE /v1/api-keys/{id}` */
    revoke: (apiKeyId: string, query?: types.RevokeApiKeyQuery, options?: CallOptions) => this.call<types.Deleted>('change', 'apiKeys.revoke', 'DELETE', `/api-keys/${part(apiKeyId)}`, options, undefined, query),
  };

  readonly auditLog = {
    /** Read who changed what, newest first. `GET /v1/audit-log` */
    list: (query?: types.ListAuditLogQuery, options?: CallOptions) => this.list<types.AuditRecord, types.ListAuditLogReply>('auditLog.list', '/audit-log', options, query),
    /** Export the audit log of both environments, in the order in which its entries were written. `GET /v1/audit-log/export` */
    export: (query?: types.ExportAuditLogQuery, options?: CallOptions) => this.call<types.AuditExport>('read', 'auditLog.export', 'GET', '/audit-log/export', options, undefined, query),
  };

  readonly auth = {
    /** Validate the bearer token and show what it may do. `GET /v1/auth/validate` */
    validate: (options?: CallOptions) => this.call<types.ValidatedToken>('read', 'auth.validate', 'GET', '/auth/validate', options),
  };

  readonly chatConnection = {
    /** Read the chat connection of your environment, and how it stands. `GET /v1/chat-connection` */
    get: (options?: CallOptions) => this.call<types.ChatConnection>('read', 'chatConnection.get', 'GET', '/chat-connection', options),
    /** Connect your environment to a chat workspace with a bot token, in place of the connection before. `PUT /v1/chat-connection` */
    replace: (body: types.ReplaceChatConnectionBody, options?: CallOptions) => this.call<types.ChatConnection>('change', 'chatConnection.replace', 'PUT', '/chat-connection', options, body),
    /** Disconnect your environment from its chat workspace. `DELETE /v1/chat-connection` */
    delete: (options?: CallOptions) => this.call<types.DeleteChatConnectionReply>('change', 'chatConnection.delete', 'DELETE', '/chat-connection', options),
    /** Begin to connect your environment through the chat platform's own screen. `POST /v1/chat-connection/install` */
    install: (options?: CallOptions) => this.call<types.InstallChatConnectionReply>('change', 'chatConnection.install', 'POST', '/chat-connection/install', options),
    /** Ask the chat platform whether the connection works; nothing is posted. `POST /v1/chat-connection/test` */
    test: (options?: CallOptions) => this.call<types.ChatConnection>('change', 'chatConnection.test', 'POST', '/chat-connection/test', options),
    testTargets: {
      /** List where test sends of your environment may go besides to yourself. `GET /v1/chat-connection/test-targets` */
      get: (options?: CallOptions) => this.call<types.TestTargetList>('read', 'chatConnection.testTargets.get', 'GET', '/chat-connection/test-targets', options),
      /** List where test sends of your environment may go, in place of the list before. `PUT /v1/chat-connection/test-targets` */
      replace: (body: types.ReplaceTestTargetsBody, options?: CallOptions) => this.call<types.TestTargetList>('change', 'chatConnection.testTargets.replace', 'PUT', '/chat-connection/test-targets', options, body),
    },
  };

  readonly credits = {
    /** Read the organization's credit balance. `GET /v1/credits/{organization_id}` */
    get: (organizationId: string, options?: CallOptions) => this.call<types.CreditBalance>('read', 'credits.get', 'GET', `/credits/${part(organizationId)}`, options),
    logs: {
      /** List what was granted, charged and given back, newest first. `GET /v1/credits/{organization_id}/logs` */
      list: (organizationId: string, query?: types.ListCreditLogQuery, options?: CallOptions) => this.list<types.CreditLogEntry, types.ListCreditLogReply>('credits.logs.list', `/credits/${part(organizationId)}/logs`, options, query),
    },
  };

  readonly destinations = {
    /** List destinations, newest first. `GET /v1/destinations` */
    list: (query?: types.ListDestinationsQuery, options?: CallOptions) => this.list<types.Destination, types.ListDestinationsReply>('destinations.list', '/destinations', options, query),
    /** Create a destination. `POST /v1/destinations` */
    create: (body: types.CreateDestinationBody, options?: CallOptions) => this.call<types.Destination>('change', 'destinations.create', 'POST', '/destinations', options, body),
    /** Read a destination. `GET /v1/destinations/{id}` */
    get: (destinationId: string, options?: CallOptions) => this.call<types.Destination>('read', 'destinations.get', 'GET', `/destinations/${part(destinationId)}`, options),
    /** Change a destination. `PATCH /v1/destinations/{id}` */
    update: (destinationId: string, body: types.UpdateDestinationBody, options?: CallOptions) => this.call<types.Destination>('change', 'destinations.update', 'PATCH', `/destinations/${part(destinationId)}`, options, body),
    /** Delete a destination. `DELETE /v1/destinations/{id}` */
    delete: (destinationId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'destinations.delete', 'DELETE', `/destinations/${part(destinationId)}`, options),
    deliveries: {
      /** List the deliveries of a destination with their attempts, newest first. `GET /v1/destinations/{id}/deliveries` */
      list: (destinationId: string, query?: types.ListDeliveriesQuery, options?: CallOptions) => this.list<types.Delivery, types.ListDeliveriesReply>('destinations.deliveries.list', `/destinations/${part(destinationId)}/deliveries`, options, query),
      /** Read a delivery of a destination with its payload. `GET /v1/destinations/{id}/deliveries/{delivery_id}` */
      get: (destinationId: string, deliveryId: string, options?: CallOptions) => this.call<types.GetDeliveryReply>('read', 'destinations.deliveries.get', 'GET', `/destinations/${part(destinationId)}/deliveries/${part(deliveryId)}`, options),
      /** Retry a delivery that failed or whose outcome is unknown. `POST /v1/destinations/{id}/deliveries/{delivery_id}/retry` */
      retry: (destinationId: string, deliveryId: string, options?: CallOptions) => this.call<types.Delivery>('change', 'destinations.deliveries.retry', 'POST', `/destinations/${part(destinationId)}/deliveries/${part(deliveryId)}/retry`, options),
    },
    signingSecret: {
      /** Read the secret that signs deliveries. `GET /v1/destinations/{id}/signing-secret` */
      get: (destinationId: string, options?: CallOptions) => this.call<types.SigningSecret>('read', 'destinations.signingSecret.get', 'GET', `/destinations/${part(destinationId)}/signing-secret`, options),
      /** Make a new signing secret. `POST /v1/destinations/{id}/signing-secret/rotate` */
      rotate: (destinationId: string, options?: CallOptions) => this.call<types.SigningSecret>('change', 'destinations.signingSecret.rotate', 'POST', `/destinations/${part(destinationId)}/signing-secret/rotate`, options),
    },
    /** Send a payload to try a destination. `POST /v1/destinations/{id}/test` */
    test: (destinationId: string, body?: types.TestDestinationBody, options?: CallOptions) => this.call<types.TestDestinationReply>('change', 'destinations.test', 'POST', `/destinations/${part(destinationId)}/test`, options, body),
  };

  readonly entities = {
    /** List entities, newest first. `GET /v1/entities` */
    list: (query?: types.ListEntitiesQuery, options?: CallOptions) => this.list<types.Entity, types.ListEntitiesReply>('entities.list', '/entities', options, query),
    /** Create an entity, a description of the data of templates. `POST /v1/entities` */
    create: (body: types.CreateEntityBody, options?: CallOptions) => this.call<types.EntityWithFields>('change', 'entities.create', 'POST', '/entities', options, body),
    /** Read an entity with its fields. `GET /v1/entities/{id}` */
    get: (entityId: string, options?: CallOptions) => this.call<types.EntityWithFields>('read', 'entities.get', 'GET', `/entities/${part(entityId)}`, options),
    /** Change name or description of an entity. `PATCH /v1/entities/{id}` */
    update: (entityId: string, body: types.UpdateEntityBody, options?: CallOptions) => this.call<types.EntityWithFields>('change', 'entities.update', 'PATCH', `/entities/${part(entityId)}`, options, body),
    /** Delete an entity with its fields. `DELETE /v1/entities/{id}` */
    delete: (entityId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'entities.delete', 'DELETE', `/entities/${part(entityId)}`, options),
    fields: {
      /** Add a field to an entity. `POST /v1/entities/{id}/fields` */
      create: (entityId: string, body: types.CreateEntityFieldBody, options?: CallOptions) => this.call<types.EntityField>('change', 'entities.fields.create', 'POST', `/entities/${part(entityId)}/fields`, options, body),
      /** Change a field of an entity, or move it. `PATCH /v1/entities/{id}/fields/{field_id}` */
      update: (entityId: string, fieldId: string, body: types.UpdateEntityFieldBody, options?: CallOptions) => this.call<types.EntityField>('change', 'entities.fields.update', 'PATCH', `/entities/${part(entityId)}/fields/${part(fieldId)}`, options, body),
      /** Delete a field with the fields inside it. `DELETE /v1/entities/{id}/fields/{field_id}` */
      delete: (entityId: string, fieldId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'entities.fields.delete', 'DELETE', `/entities/${part(entityId)}/fields/${part(fieldId)}`, options),
    },
  };

  readonly eventSubscriptions = {
    /** List subscriptions to events, newest first. `GET /v1/event-subscriptions` */
    list: (query?: types.ListEventSubscriptionsQuery, options?: CallOptions) => this.list<types.EventSubscription, types.ListEventSubscriptionsReply>('eventSubscriptions.list', '/event-subscriptions', options, query),
    /** Subscribe a destination to events. `POST /v1/event-subscriptions` */
    create: (body: types.CreateEventSubscriptionBody, options?: CallOptions) => this.call<types.EventSubscription>('change', 'eventSubscriptions.create', 'POST', '/event-subscriptions', options, body),
    /** Read a subscription to events. `GET /v1/event-subscriptions/{id}` */
    get: (eventSubscriptionId: string, options?: CallOptions) => this.call<types.EventSubscription>('read', 'eventSubscriptions.get', 'GET', `/event-subscriptions/${part(eventSubscriptionId)}`, options),
    /** Change a subscription to events. `PATCH /v1/event-subscriptions/{id}` */
    update: (eventSubscriptionId: string, body: types.UpdateEventSubscriptionBody, options?: CallOptions) => this.call<types.EventSubscription>('change', 'eventSubscriptions.update', 'PATCH', `/event-subscriptions/${part(eventSubscriptionId)}`, options, body),
    /** Delete a subscription to events. `DELETE /v1/event-subscriptions/{id}` */
    delete: (eventSubscriptionId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'eventSubscriptions.delete', 'DELETE', `/event-subscriptions/${part(eventSubscriptionId)}`, options),
  };

  readonly events = {
    /** List the events of the environment, newest first. `GET /v1/events` */
    list: (query?: types.ListEventsQuery, options?: CallOptions) => this.call<types.EventPage>('read', 'events.list', 'GET', '/events', options, undefined, query),
  };

  readonly interactions = {
    /** List what people clicked or submitted and what came of it, newest first. `GET /v1/interactions` */
    list: (query?: types.ListInteractionsQuery, options?: CallOptions) => this.list<types.Interaction, types.ListInteractionsReply>('interactions.list', '/interactions', options, query),
  };

  readonly invitations = {
    /** Accept an invitation as the person of the session. `POST /v1/invitations/accept` */
    accept: (body: types.AcceptInvitationBody, options?: CallOptions) => this.call<types.AcceptInvitationReply>('change', 'invitations.accept', 'POST', '/invitations/accept', options, body),
  };

  readonly messages = {
    /** List messages and what came of them, newest first. `GET /v1/messages` */
    list: (query?: types.ListMessagesQuery, options?: CallOptions) => this.list<types.Message, types.ListMessagesReply>('messages.list', '/messages', options, query),
    /** Follow messages as they are made and as their status changes. `GET /v1/messages/stream` */
    stream: (query?: types.StreamMessagesQuery, options?: StreamOptions) => this.follow<types.Message>('messages.stream', '/messages/stream', options, query),
    /** Read a message and its attempts. `GET /v1/messages/{id}` */
    get: (messageId: string, options?: CallOptions) => this.call<types.Message>('read', 'messages.get', 'GET', `/messages/${part(messageId)}`, options),
  };

  readonly modals = {
    /** List modals, newest first, without their blocks. `GET /v1/modals` */
    list: (query?: types.ListModalsQuery, options?: CallOptions) => this.list<types.ModalDefinitionSummary, types.ListModalsReply>('modals.list', '/modals', options, query),
    /** Create a modal and its version 1. `POST /v1/modals` */
    create: (body: types.CreateModalBody, options?: KeyedOptions) => this.call<types.CreatedModalDefinition>('keyed', 'modals.create', 'POST', '/modals', options, body),
    /** Read a modal and its active version. `GET /v1/modals/{id}` */
    get: (modalId: string, options?: CallOptions) => this.call<types.ModalDefinition>('read', 'modals.get', 'GET', `/modals/${part(modalId)}`, options),
    /** Change the metadata or the steps of a modal. `PATCH /v1/modals/{id}` */
    update: (modalId: string, body: types.UpdateModalBody, options?: CallOptions) => this.call<types.ModalDefinition>('change', 'modals.update', 'PATCH', `/modals/${part(modalId)}`, options, body),
    /** Delete a modal for good. `DELETE /v1/modals/{id}` */
    delete: (modalId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'modals.delete', 'DELETE', `/modals/${part(modalId)}`, options),
    /** See the view that a modal makes of data. `POST /v1/modals/{id}/preview` */
    preview: (modalId: string, body?: types.PreviewModalBody, options?: CallOptions) => this.call<types.PreviewModalReply>('read', 'modals.preview', 'POST', `/modals/${part(modalId)}/preview`, options, body),
    versions: {
      /** List the versions of a modal, newest first, without their sample data. `GET /v1/modals/{id}/versions` */
      list: (modalId: string, query?: types.ListModalVersionsQuery, options?: CallOptions) => this.list<types.ModalVersion, types.ListModalVersionsReply>('modals.versions.list', `/modals/${part(modalId)}/versions`, options, query),
      /** Append a version to a modal. `POST /v1/modals/{id}/versions` */
      append: (modalId: string, body: types.AppendModalVersionBody, options?: CallOptions) => this.call<types.ModalVersion>('change', 'modals.versions.append', 'POST', `/modals/${part(modalId)}/versions`, options, body),
      /** Read one version of a modal. `GET /v1/modals/{id}/versions/{version_id}` */
      get: (modalId: string, versionId: string, options?: CallOptions) => this.call<types.ModalVersion>('read', 'modals.versions.get', 'GET', `/modals/${part(modalId)}/versions/${part(versionId)}`, options),
      /** Make a version of a modal the active one. `POST /v1/modals/{id}/versions/{version_id}/activate` */
      activate: (modalId: string, versionId: string, options?: KeyedOptions) => this.call<types.ModalVersion>('keyed', 'modals.versions.activate', 'POST', `/modals/${part(modalId)}/versions/${part(versionId)}/activate`, options),
    },
  };

  readonly organizations = {
    /** Read your organization. `GET /v1/organizations/{id}` */
    get: (organizationId: string, options?: CallOptions) => this.call<types.Organization>('read', 'organizations.get', 'GET', `/organizations/${part(organizationId)}`, options),
    /** Rename your organization, or change its policies. `PATCH /v1/organizations/{id}` */
    update: (organizationId: string, body: types.UpdateOrganizationBody, options?: CallOptions) => this.call<types.Organization>('change', 'organizations.update', 'PATCH', `/organizations/${part(organizationId)}`, options, body),
    /** Delete your organization and everything that belongs to it. `DELETE /v1/organizations/{id}` */
    delete: (organizationId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'organizations.delete', 'DELETE', `/organizations/${part(organizationId)}`, options),
    invitations: {
      /** List invitations, newest first. `GET /v1/organizations/{id}/invitations` */
      list: (organizationId: string, query?: types.ListInvitationsQuery, options?: CallOptions) => this.list<types.Invitation, types.ListInvitationsReply>('organizations.invitations.list', `/organizations/${part(organizationId)}/invitations`, options, query),
      /** Revoke an invitation that is not accepted yet. `DELETE /v1/organizations/{id}/invitations/{invitation_id}` */
      revoke: (organizationId: string, invitationId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'organizations.invitations.revoke', 'DELETE', `/organizations/${part(organizationId)}/invitations/${part(invitationId)}`, options),
    },
    /** Invite somebody to the organization by e-mail. `POST /v1/organizations/{id}/invite` */
    invite: (organizationId: string, body: types.InviteMemberBody, options?: CallOptions) => this.call<types.InviteMemberReply>('change', 'organizations.invite', 'POST', `/organizations/${part(organizationId)}/invite`, options, body),
    members: {
      /** List the members of the organization, the longest first. `GET /v1/organizations/{id}/members` */
      list: (organizationId: string, query?: types.ListMembersQuery, options?: CallOptions) => this.list<types.OrganizationUser, types.ListMembersReply>('organizations.members.list', `/organizations/${part(organizationId)}/members`, options, query),
      /** Change the role of a member; it counts on all their keys and sessions within a second. `PATCH /v1/organizations/{id}/members/{user_id}` */
      update: (organizationId: string, userId: string, body: types.UpdateMemberBody, options?: CallOptions) => this.call<types.OrganizationUser>('change', 'organizations.members.update', 'PATCH', `/organizations/${part(organizationId)}/members/${part(userId)}`, options, body),
    },
    /** Make another member the owner; the owner so far becomes an admin. `POST /v1/organizations/{id}/transfer-ownership` */
    transferOwnership: (organizationId: string, body: types.TransferOwnershipBody, options?: CallOptions) => this.call<types.TransferOwnershipReply>('change', 'organizations.transferOwnership', 'POST', `/organizations/${part(organizationId)}/transfer-ownership`, options, body),
  };

  readonly proposals = {
    /** List the proposals of all templates, newest first. `GET /v1/proposals` */
    list: (query?: types.ListProposalsQuery, options?: CallOptions) => this.list<types.TemplateProposal, types.ListProposalsReply>('proposals.list', '/proposals', options, query),
  };

  readonly queues = {
    /** List queues, newest first. `GET /v1/queues` */
    list: (query?: types.ListQueuesQuery, options?: CallOptions) => this.list<types.Queue, types.ListQueuesReply>('queues.list', '/queues', options, query),
    /** Create a queue that gathers events into digests. `POST /v1/queues` */
    create: (body: types.CreateQueueBody, options?: CallOptions) => this.call<types.Queue>('change', 'queues.create', 'POST', '/queues', options, body),
    /** Read a queue. `GET /v1/queues/{id}` */
    get: (queueId: string, options?: CallOptions) => this.call<types.Queue>('read', 'queues.get', 'GET', `/queues/${part(queueId)}`, options),
    /** Change a queue. `PATCH /v1/queues/{id}` */
    update: (queueId: string, body: types.UpdateQueueBody, options?: CallOptions) => this.call<types.Queue>('change', 'queues.update', 'PATCH', `/queues/${part(queueId)}`, options, body),
    /** Delete a queue. `DELETE /v1/queues/{id}` */
    delete: (queueId: string, options?: CallOptions) => this.call<types.DeleteQueueReply>('change', 'queues.delete', 'DELETE', `/queues/${part(queueId)}`, options),
    batches: {
      /** List the batches of a queue, newest first. `GET /v1/queues/{id}/batches` */
      list: (queueId: string, query?: types.ListBatchesQuery, options?: CallOptions) => this.list<types.Batch, types.ListBatchesReply>('queues.batches.list', `/queues/${part(queueId)}/batches`, options, query),
      /** Read a batch and a page of its events. `GET /v1/queues/{id}/batches/{batch_id}` */
      get: (queueId: string, batchId: string, query?: types.GetBatchQuery, options?: CallOptions) => this.call<types.GetBatchReply>('read', 'queues.batches.get', 'GET', `/queues/${part(queueId)}/batches/${part(batchId)}`, options, undefined, query),
      /** Deliver a failed batch again. `POST /v1/queues/{id}/batches/{batch_id}/retry` */
      retry: (queueId: string, batchId: string, body?: types.RetryBatchBody, options?: CallOptions) => this.call<types.Batch>('change', 'queues.batches.retry', 'POST', `/queues/${part(queueId)}/batches/${part(batchId)}/retry`, options, body),
    },
    events: {
      /** Push 1-100 events. `POST /v1/queues/{id}/events` */
      push: (queueId: string, body: types.PushEventsBody, options?: KeyedOptions) => this.call<types.PushEventsReply>('keyed', 'queues.events.push', 'POST', `/queues/${part(queueId)}/events`, options, body),
    },
    /** Close the open batch now. `POST /v1/queues/{id}/flush` */
    flush: (queueId: string, options?: CallOptions) => this.call<types.FlushQueueReply>('change', 'queues.flush', 'POST', `/queues/${part(queueId)}/flush`, options),
  };

  readonly sampleData = {
    /** List sample data, newest first, without the data. `GET /v1/sample-data` */
    list: (query?: types.ListSampleDataQuery, options?: CallOptions) => this.list<types.SampleDataSummary, types.ListSampleDataReply>('sampleData.list', '/sample-data', options, query),
    /** Save data to try templates with. `POST /v1/sample-data` */
    create: (body: types.CreateSampleDataBody, options?: CallOptions) => this.call<types.SampleData>('change', 'sampleData.create', 'POST', '/sample-data', options, body),
    /** Read sample data. `GET /v1/sample-data/{id}` */
    get: (sampleDataId: string, options?: CallOptions) => this.call<types.SampleData>('read', 'sampleData.get', 'GET', `/sample-data/${part(sampleDataId)}`, options),
    /** Change sample data. `PATCH /v1/sample-data/{id}` */
    update: (sampleDataId: string, body: types.UpdateSampleDataBody, options?: CallOptions) => this.call<types.SampleData>('change', 'sampleData.update', 'PATCH', `/sample-data/${part(sampleDataId)}`, options, body),
    /** Delete sample data. `DELETE /v1/sample-data/{id}` */
    delete: (sampleDataId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'sampleData.delete', 'DELETE', `/sample-data/${part(sampleDataId)}`, options),
  };

  readonly scheduledMessages = {
    /** List scheduled messages, newest first. `GET /v1/scheduled-messages` */
    list: (query?: types.ListScheduledMessagesQuery, options?: CallOptions) => this.list<types.ScheduledMessage, types.ListScheduledMessagesReply>('scheduledMessages.list', '/scheduled-messages', options, query),
    /** Send a message at a time, or again and again. `POST /v1/scheduled-messages` */
    create: (body: types.CreateScheduledMessageBody, options?: KeyedOptions) => this.call<types.ScheduledMessageDetails>('keyed', 'scheduledMessages.create', 'POST', '/scheduled-messages', options, body),
    /** Read a scheduled message, its next runs and its last ones. `GET /v1/scheduled-messages/{id}` */
    get: (scheduledMessageId: string, options?: CallOptions) => this.call<types.ScheduledMessageDetails>('read', 'scheduledMessages.get', 'GET', `/scheduled-messages/${part(scheduledMessageId)}`, options),
    /** Cancel a scheduled message. `DELETE /v1/scheduled-messages/{id}` */
    cancel: (scheduledMessageId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'scheduledMessages.cancel', 'DELETE', `/scheduled-messages/${part(scheduledMessageId)}`, options),
  };

  readonly scim = {
    serviceProviderConfig: {
      /** Read the supported part of SCIM 2.0. `GET /v1/scim/v2/ServiceProviderConfig` */
      get: (options?: CallOptions) => this.call<types.ScimServiceProviderConfig>('read', 'scim.serviceProviderConfig.get', 'GET', '/scim/v2/ServiceProviderConfig', options),
    },
    users: {
      /** Find members, deactivated ones included, for an identity provider (SCIM 2.0). `GET /v1/scim/v2/Users` */
      list: (query?: types.ListScimUsersQuery, options?: CallOptions) => this.call<types.ScimList>('read', 'scim.users.list', 'GET', '/scim/v2/Users', options, undefined, query),
      /** Read a member for an identity provider (SCIM 2.0). `GET /v1/scim/v2/Users/{id}` */
      get: (userId: string, options?: CallOptions) => this.call<types.ScimUser>('read', 'scim.users.get', 'GET', `/scim/v2/Users/${part(userId)}`, options),
      /** Deactivate or reactivate a member by their whole resource (SCIM 2.0). `PUT /v1/scim/v2/Users/{id}` */
      replace: (userId: string, body: types.ReplaceScimUserBody, options?: CallOptions) => this.call<types.ScimUser>('change', 'scim.users.replace', 'PUT', `/scim/v2/Users/${part(userId)}`, options, body),
      /** Deactivate or reactivate a member for an identity provider (SCIM 2.0). `PATCH /v1/scim/v2/Users/{id}` */
      patch: (userId: string, body: types.PatchScimUserBody, options?: CallOptions) => this.call<types.ScimUser>('change', 'scim.users.patch', 'PATCH', `/scim/v2/Users/${part(userId)}`, options, body),
      /** Remove a member for an identity provider (SCIM 2.0). `DELETE /v1/scim/v2/Users/{id}` */
      delete: (userId: string, options?: CallOptions) => this.run('scim.users.delete', 'DELETE', `/scim/v2/Users/${part(userId)}`, options),
    },
  };

  readonly search = {
    /** Search entities, best first. `GET /v1/search/entities` */
    entities: (query: types.SearchEntitiesQuery, options?: CallOptions) => this.list<types.FoundEntity, types.SearchEntitiesReply>('search.entities', '/search/entities', options, query),
    /** Search templates, best first. `GET /v1/search/templates` */
    templates: (query: types.SearchTemplatesQuery, options?: CallOptions) => this.list<types.FoundTemplate, types.SearchTemplatesReply>('search.templates', '/search/templates', options, query),
  };

  readonly templates = {
    /** List templates, newest first. `GET /v1/templates` */
    list: (query?: types.ListTemplatesQuery, options?: CallOptions) => this.list<types.Template, types.ListTemplatesReply>('templates.list', '/templates', options, query),
    /** Create a template and its version 1. `POST /v1/templates` */
    create: (body: types.CreateTemplateBody, options?: KeyedOptions) => this.call<types.CreateTemplateReply>('keyed', 'templates.create', 'POST', '/templates', options, body),
    blockSchema: {
      /** Block types, directives, operators, filters, placeholder syntax and limits. `GET /v1/templates/block-schema` */
      get: (options?: CallOptions) => this.call<types.GetBlockSchemaReply>('read', 'templates.blockSchema.get', 'GET', '/templates/block-schema', options),
    },
    /** Compile the live version of a template with data. `POST /v1/templates/compile` */
    compile: (body: types.CompileTemplateBody, options?: KeyedOptions) => this.call<types.CompileTemplateReply>('keyed', 'templates.compile', 'POST', '/templates/compile', options, body),
    /** See what a version, or blocks, make of data. `POST /v1/templates/preview` */
    preview: (body: types.PreviewTemplateBody, options?: CallOptions) => this.call<types.PreviewTemplateReply>('read', 'templates.preview', 'POST', '/templates/preview', options, body),
    /** Copy templates with their entities and sample data from the other environment. `POST /v1/templates/promote` */
    promote: (body: types.PromoteTemplatesBody, options?: SourceOptions) => this.call<types.Promotion>('keyed', 'templates.promote', 'POST', '/templates/promote', options, body),
    /** Compile the live version of a template and post it. `POST /v1/templates/send` */
    send: (body: types.SendTemplateBody, options?: KeyedOptions) => this.call<types.SendTemplateReply>('keyed', 'templates.send', 'POST', '/templates/send', options, body),
    /** Compile the live version of a template once and post it to up to 100 destinations. `POST /v1/templates/send-bulk` */
    sendBulk: (body: types.SendBulkBody, options?: KeyedOptions) => this.bulk(body, options),
    /** Send blocks that are not yet a version as a test, to yourself or to a listed target. `POST /v1/templates/test-send` */
    testSend: (body: types.TestSendBlocksBody, options?: KeyedOptions) => this.call<types.TestSendBlocksReply>('keyed', 'templates.testSend', 'POST', '/templates/test-send', options, body),
    /** Check blocks without saving anything. `POST /v1/templates/validate` */
    validate: (body: types.ValidateTemplateBody, options?: CallOptions) => this.call<types.ValidateTemplateReply>('read', 'templates.validate', 'POST', '/templates/validate', options, body),
    /** Read a template and its live version. `GET /v1/templates/{id}` */
    get: (templateId: string, options?: CallOptions) => this.call<types.GetTemplateReply>('read', 'templates.get', 'GET', `/templates/${part(templateId)}`, options),
    /** Change the metadata of a template. `PATCH /v1/templates/{id}` */
    update: (templateId: string, body: types.UpdateTemplateBody, options?: CallOptions) => this.call<types.Template>('change', 'templates.update', 'PATCH', `/templates/${part(templateId)}`, options, body),
    /** Delete an archived template for good. `DELETE /v1/templates/{id}` */
    delete: (templateId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'templates.delete', 'DELETE', `/templates/${part(templateId)}`, options),
    activations: {
      /** List the activations of a template, newest first. `GET /v1/templates/{id}/activations` */
      list: (templateId: string, query?: types.ListTemplateActivationsQuery, options?: CallOptions) => this.list<types.TemplateActivation, types.ListTemplateActivationsReply>('templates.activations.list', `/templates/${part(templateId)}/activations`, options, query),
    },
    agentSends: {
      /** Switch whether agents get a tool that sends a template. `PUT /v1/templates/{id}/agent-sends` */
      set: (templateId: string, body: types.SetAgentSendsBody, options?: CallOptions) => this.call<types.Template>('change', 'templates.agentSends.set', 'PUT', `/templates/${part(templateId)}/agent-sends`, options, body),
    },
    /** Take a template out of service. `POST /v1/templates/{id}/archive` */
    archive: (templateId: string, options?: CallOptions) => this.call<types.LifecycleChange>('change', 'templates.archive', 'POST', `/templates/${part(templateId)}/archive`, options),
    /** Compare blocks, the draft or a version with a version, block by block. `POST /v1/templates/{id}/diff` */
    diff: (templateId: string, body: types.DiffTemplateBody, options?: CallOptions) => this.call<types.TemplateDiff>('read', 'templates.diff', 'POST', `/templates/${part(templateId)}/diff`, options, body),
    draft: {
      /** Read the draft of a template. `GET /v1/templates/{id}/draft` */
      get: (templateId: string, options?: CallOptions) => this.call<types.TemplateDraft>('read', 'templates.draft.get', 'GET', `/templates/${part(templateId)}/draft`, options),
      /** Write the draft of a template. `PUT /v1/templates/{id}/draft` */
      put: (templateId: string, body: types.PutTemplateDraftBody, options?: CallOptions) => this.call<types.TemplateDraft>('change', 'templates.draft.put', 'PUT', `/templates/${part(templateId)}/draft`, options, body),
      /** Discard the draft of a template. `DELETE /v1/templates/{id}/draft` */
      delete: (templateId: string, query?: types.DeleteTemplateDraftQuery, options?: CallOptions) => this.call<types.Deleted>('change', 'templates.draft.delete', 'DELETE', `/templates/${part(templateId)}/draft`, options, undefined, query),
      /** Make the draft of a template its next version. `POST /v1/templates/{id}/draft/save` */
      save: (templateId: string, body?: types.SaveTemplateDraftBody, options?: CallOptions) => this.call<types.TemplateVersion>('change', 'templates.draft.save', 'POST', `/templates/${part(templateId)}/draft/save`, options, body),
    },
    /** Copy a template with the content of its live version under a new name. `POST /v1/templates/{id}/duplicate` */
    duplicate: (templateId: string, body: types.DuplicateTemplateBody, options?: CallOptions) => this.call<types.DuplicateTemplateReply>('change', 'templates.duplicate', 'POST', `/templates/${part(templateId)}/duplicate`, options, body),
    impact: {
      /** See what making a version live, or blocks, would change and break. `POST /v1/templates/{id}/impact` */
      get: (templateId: string, body: types.GetTemplateImpactBody, options?: CallOptions) => this.call<types.TemplateImpact>('read', 'templates.impact.get', 'POST', `/templates/${part(templateId)}/impact`, options, body),
    },
    inputSchema: {
      /** What a template reads: its fields, and the JSON Schema of its data. `GET /v1/templates/{id}/input-schema` */
      get: (templateId: string, query?: types.GetInputSchemaQuery, options?: CallOptions) => this.call<types.GetInputSchemaReply>('read', 'templates.inputSchema.get', 'GET', `/templates/${part(templateId)}/input-schema`, options, undefined, query),
      automation: {
        /** What a template reads, as parameters of an automation tool. `GET /v1/templates/{id}/input-schema/automation` */
        get: (templateId: string, query?: types.GetInputSchemaAutomationQuery, options?: CallOptions) => this.call<types.GetInputSchemaAutomationReply>('read', 'templates.inputSchema.automation.get', 'GET', `/templates/${part(templateId)}/input-schema/automation`, options, undefined, query),
      },
    },
    proposals: {
      /** List the proposals of a template, newest first. `GET /v1/templates/{id}/proposals` */
      list: (templateId: string, query?: types.ListTemplateProposalsQuery, options?: CallOptions) => this.list<types.TemplateProposal, types.ListTemplateProposalsReply>('templates.proposals.list', `/templates/${part(templateId)}/proposals`, options, query),
      /** Propose to make a version live. `POST /v1/templates/{id}/proposals` */
      propose: (templateId: string, body: types.ProposeTemplateVersionBody, options?: KeyedOptions) => this.call<types.TemplateProposal>('keyed', 'templates.proposals.propose', 'POST', `/templates/${part(templateId)}/proposals`, options, body),
      /** Read a proposal, and what became of it. `GET /v1/templates/{id}/proposals/{proposal_id}` */
      get: (templateId: string, proposalId: string, options?: CallOptions) => this.call<types.TemplateProposal>('read', 'templates.proposals.get', 'GET', `/templates/${part(templateId)}/proposals/${part(proposalId)}`, options),
      /** Accept a proposal: make its version live. `POST /v1/templates/{id}/proposals/{proposal_id}/accept` */
      accept: (templateId: string, proposalId: string, body?: types.AcceptTemplateProposalBody, options?: CallOptions) => this.call<types.TemplateProposal>('change', 'templates.proposals.accept', 'POST', `/templates/${part(templateId)}/proposals/${part(proposalId)}/accept`, options, body),
      /** Decline a proposal, with a reason. `POST /v1/templates/{id}/proposals/{proposal_id}/decline` */
      decline: (templateId: string, proposalId: string, body: types.DeclineTemplateProposalBody, options?: CallOptions) => this.call<types.TemplateProposal>('change', 'templates.proposals.decline', 'POST', `/templates/${part(templateId)}/proposals/${part(proposalId)}/decline`, options, body),
      /** Withdraw a proposal of your own. `POST /v1/templates/{id}/proposals/{proposal_id}/withdraw` */
      withdraw: (templateId: string, proposalId: string, options?: CallOptions) => this.call<types.TemplateProposal>('change', 'templates.proposals.withdraw', 'POST', `/templates/${part(templateId)}/proposals/${part(proposalId)}/withdraw`, options),
    },
    /** Take an archived template back into service. `POST /v1/templates/{id}/unarchive` */
    unarchive: (templateId: string, options?: CallOptions) => this.call<types.LifecycleChange>('change', 'templates.unarchive', 'POST', `/templates/${part(templateId)}/unarchive`, options),
    use: {
      /** See what uses a template: queues, schedules, modals, and what compiled or sent it in 30 days. `GET /v1/templates/{id}/use` */
      get: (templateId: string, options?: CallOptions) => this.call<types.TemplateUse>('read', 'templates.use.get', 'GET', `/templates/${part(templateId)}/use`, options),
    },
    versions: {
      /** List the versions of a template, newest first. `GET /v1/templates/{id}/versions` */
      list: (templateId: string, query?: types.ListTemplateVersionsQuery, options?: CallOptions) => this.list<types.TemplateVersionSummary, types.ListTemplateVersionsReply>('templates.versions.list', `/templates/${part(templateId)}/versions`, options, query),
      /** Append a version to a template. `POST /v1/templates/{id}/versions` */
      append: (templateId: string, body: types.AppendTemplateVersionBody, options?: KeyedOptions) => this.call<types.TemplateVersion>('keyed', 'templates.versions.append', 'POST', `/templates/${part(templateId)}/versions`, options, body),
      /** Read one version of a template. `GET /v1/templates/{id}/versions/{version_id}` */
      get: (templateId: string, versionId: string, options?: CallOptions) => this.call<types.TemplateVersion>('read', 'templates.versions.get', 'GET', `/templates/${part(templateId)}/versions/${part(versionId)}`, options),
      /** Make a version the live one. `POST /v1/templates/{id}/versions/{version_id}/activate` */
      activate: (templateId: string, versionId: string, body?: types.ActivateTemplateVersionBody, options?: CallOptions) => this.call<types.TemplateVersion>('change', 'templates.versions.activate', 'POST', `/templates/${part(templateId)}/versions/${part(versionId)}/activate`, options, body),
      /** Compare a version with another one, block by block. `GET /v1/templates/{id}/versions/{version_id}/diff` */
      diff: (templateId: string, versionId: string, query: types.DiffTemplateVersionsQuery, options?: CallOptions) => this.call<types.VersionDiff>('read', 'templates.versions.diff', 'GET', `/templates/${part(templateId)}/versions/${part(versionId)}/diff`, options, undefined, query),
      /** Send any version of a template as a test, to yourself or to a listed target. `POST /v1/templates/{id}/versions/{version_id}/test-send` */
      testSend: (templateId: string, versionId: string, body: types.TestSendVersionBody, options?: KeyedOptions) => this.call<types.TestSendVersionReply>('keyed', 'templates.versions.testSend', 'POST', `/templates/${part(templateId)}/versions/${part(versionId)}/test-send`, options, body),
    },
  };

  readonly usage = {
    /** Report use by day, operation, template or key. `GET /v1/usage` */
    get: (query?: types.GetUsageQuery, options?: CallOptions) => this.list<types.UsageGroup, types.GetUsageReply>('usage.get', '/usage', options, query),
    limits: {
      /** Read the limits of the tier, and the remainder of each. `GET /v1/usage/limits` */
      get: (options?: CallOptions) => this.call<types.UsageLimits>('read', 'usage.limits.get', 'GET', '/usage/limits', options),
    },
  };

  readonly users = {
    profile: {
      /** Read your own profile and the organizations you belong to. `GET /v1/users/profile` */
      get: (options?: CallOptions) => this.call<types.Profile>('read', 'users.profile.get', 'GET', '/users/profile', options),
      /** Change your own names. `PATCH /v1/users/profile` */
      update: (body: types.UpdateProfileBody, options?: CallOptions) => this.call<types.Profile>('change', 'users.profile.update', 'PATCH', '/users/profile', options, body),
      organizations: {
        /** List the organizations you belong to, with your role and the environments of each. `GET /v1/users/profile/organizations` */
        list: (query?: types.ListOwnOrganizationsQuery, options?: CallOptions) => this.list<types.OwnOrganization, types.ListOwnOrganizationsReply>('users.profile.organizations.list', '/users/profile/organizations', options, query),
      },
    },
    /** Read a user of the organization. `GET /v1/users/{id}` */
    get: (userId: string, options?: CallOptions) => this.call<types.OrganizationUser>('read', 'users.get', 'GET', `/users/${part(userId)}`, options),
    /** Remove a user from the organization and revoke all their keys of it. `DELETE /v1/users/{id}` */
    delete: (userId: string, options?: CallOptions) => this.call<types.Deleted>('change', 'users.delete', 'DELETE', `/users/${part(userId)}`, options),
  };
}
