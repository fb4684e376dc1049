// Made from the registry of operations by `npm run docs`; changes belong there.

import type { Stanza } from '@stanza/sdk';

/** What a program does with each method of the SDK. */
export const examples: Readonly<Record<string, (stanza: Stanza) => Promise<void>>> = {
  'apiKeys.list': async (stanza) => {
    for await (const item of stanza.apiKeys.list()) {
      console.log(item);
    }
  },
  'apiKeys.create': async (stanza) => {
    const answer = await stanza.apiKeys.create({
      name: 'Deploy pipeline',
      description: 'Posts a message for each release',
      scopes: ['templates:read', 'messages:create'],
      allowed_addresses: ['0.0.0.0/0', '::/0'],
      expires_at: '2099-01-01T00:00:00Z',
    });
    console.log(answer);
  },
  'apiKeys.revoke': async (stanza) => {
    const apiKeyId = '01938c2e-7b1a-7c3d-9e4f-00005ff64785';
    const answer = await stanza.apiKeys.revoke(apiKeyId);
    console.log(answer);
  },
  'auditLog.list': async (stanza) => {
    for await (const item of stanza.auditLog.list()) {
      console.log(item);
    }
  },
  'auditLog.export': async (stanza) => {
    const answer = await stanza.auditLog.export();
    console.log(answer);
  },
  'auth.validate': async (stanza) => {
    const answer = await stanza.auth.validate();
    console.log(answer);
  },
  'chatConnection.get': async (stanza) => {
    const answer = await stanza.chatConnection.get();
    console.log(answer);
  },
  'chatConnection.replace': async (stanza) => {
    const answer = await stanza.chatConnection.replace({ bot_token: 'xoxb-sandbox-acme' });
    console.log(answer);
  },
  'chatConnection.delete': async (stanza) => {
    const answer = await stanza.chatConnection.delete();
    console.log(answer);
  },
  'chatConnection.install': async (stanza) => {
    const answer = await stanza.chatConnection.install();
    console.log(answer);
  },
  'chatConnection.test': async (stanza) => {
    const answer = await stanza.chatConnection.test();
    console.log(answer);
  },
  'chatConnection.testTargets.get': async (stanza) => {
    const answer = await stanza.chatConnection.testTargets.get();
    console.log(answer);
  },
  'chatConnection.testTargets.replace': async (stanza) => {
    const answer = await stanza.chatConnection.testTargets.replace({ targets: [{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }] });
    console.log(answer);
  },
  'credits.get': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.credits.get(organizationId);
    console.log(answer);
  },
  'credits.logs.list': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    for await (const item of stanza.credits.logs.list(organizationId)) {
      console.log(item);
    }
  },
  'destinations.list': async (stanza) => {
    for await (const item of stanza.destinations.list()) {
      console.log(item);
    }
  },
  'destinations.create': async (stanza) => {
    const answer = await stanza.destinations.create({
      name: 'Ticket system',
      url: 'https://tickets.example.com/hooks/stanza',
      headers: { Authorization: 'Bearer s3cr3t' },
      auth_type: 'bearer',
      retry_enabled: true,
    });
    console.log(answer);
  },
  'destinations.get': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.get(destinationId);
    console.log(answer);
  },
  'destinations.update': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.update(destinationId, { name: 'Ticket system, new', retry_enabled: true, max_retries: 5 });
    console.log(answer);
  },
  'destinations.delete': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.delete(destinationId);
    console.log(answer);
  },
  'destinations.deliveries.list': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    for await (const item of stanza.destinations.deliveries.list(destinationId)) {
      console.log(item);
    }
  },
  'destinations.deliveries.get': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const deliveryId = '01938c2e-7b1a-7c3d-9e4f-0000f9c53a55';
    const answer = await stanza.destinations.deliveries.get(destinationId, deliveryId);
    console.log(answer);
  },
  'destinations.deliveries.retry': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const deliveryId = '01938c2e-7b1a-7c3d-9e4f-0000f9c53a55';
    const answer = await stanza.destinations.deliveries.retry(destinationId, deliveryId);
    console.log(answer);
  },
  'destinations.signingSecret.get': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.signingSecret.get(destinationId);
    console.log(answer);
  },
  'destinations.signingSecret.rotate': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.signingSecret.rotate(destinationId);
    console.log(answer);
  },
  'destinations.test': async (stanza) => {
    const destinationId = '01938c2e-7b1a-7c3d-9e4f-0000b2de64bf';
    const answer = await stanza.destinations.test(destinationId, { payload: { type: 'test', text: 'Can you hear me?' } });
    console.log(answer);
  },
  'entities.list': async (stanza) => {
    for await (const item of stanza.entities.list()) {
      console.log(item);
    }
  },
  'entities.create': async (stanza) => {
    const answer = await stanza.entities.create({ name: 'Order', description: 'What a customer bought' });
    console.log(answer);
  },
  'entities.get': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const answer = await stanza.entities.get(entityId);
    console.log(answer);
  },
  'entities.update': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const answer = await stanza.entities.update(entityId, { description: 'What a customer bought, and for how much' });
    console.log(answer);
  },
  'entities.delete': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const answer = await stanza.entities.delete(entityId);
    console.log(answer);
  },
  'entities.fields.create': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const answer = await stanza.entities.fields.create(entityId, { name: 'total', type: 'number', label: 'Total', required: true });
    console.log(answer);
  },
  'entities.fields.update': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const fieldId = '01938c2e-7b1a-7c3d-9e4f-000067826267';
    const answer = await stanza.entities.fields.update(entityId, fieldId, { label: 'Order total', required: false });
    console.log(answer);
  },
  'entities.fields.delete': async (stanza) => {
    const entityId = '01938c2e-7b1a-7c3d-9e4f-0000d33ff5da';
    const fieldId = '01938c2e-7b1a-7c3d-9e4f-000067826267';
    const answer = await stanza.entities.fields.delete(entityId, fieldId);
    console.log(answer);
  },
  'eventSubscriptions.list': async (stanza) => {
    for await (const item of stanza.eventSubscriptions.list()) {
      console.log(item);
    }
  },
  'eventSubscriptions.create': async (stanza) => {
    const answer = await stanza.eventSubscriptions.create({
      destination_id: '01938c2e-7b1a-7c3d-9e4f-0000f1f2f3f4',
      types: ['message.failed', 'message.unknown', 'credits.low'],
      description: 'Pages the people on call',
    });
    console.log(answer);
  },
  'eventSubscriptions.get': async (stanza) => {
    const eventSubscriptionId = '01938c2e-7b1a-7c3d-9e4f-0000f237f1ab';
    const answer = await stanza.eventSubscriptions.get(eventSubscriptionId);
    console.log(answer);
  },
  'eventSubscriptions.update': async (stanza) => {
    const eventSubscriptionId = '01938c2e-7b1a-7c3d-9e4f-0000f237f1ab';
    const answer = await stanza.eventSubscriptions.update(eventSubscriptionId, { types: ['message.failed'], is_active: false });
    console.log(answer);
  },
  'eventSubscriptions.delete': async (stanza) => {
    const eventSubscriptionId = '01938c2e-7b1a-7c3d-9e4f-0000f237f1ab';
    const answer = await stanza.eventSubscriptions.delete(eventSubscriptionId);
    console.log(answer);
  },
  'events.list': async (stanza) => {
    const answer = await stanza.events.list();
    console.log(answer);
  },
  'interactions.list': async (stanza) => {
    for await (const item of stanza.interactions.list()) {
      console.log(item);
    }
  },
  'invitations.accept': async (stanza) => {
    const answer = await stanza.invitations.accept({ invitation_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' });
    console.log(answer);
  },
  'messages.list': async (stanza) => {
    for await (const item of stanza.messages.list()) {
      console.log(item);
    }
  },
  'messages.stream': async (stanza) => {
    for await (const event of stanza.messages.stream()) {
      console.log(event);
      // Without it the loop goes on.
      break;
    }
  },
  'messages.get': async (stanza) => {
    const messageId = '01938c2e-7b1a-7c3d-9e4f-000024f208e4';
    const answer = await stanza.messages.get(messageId);
    console.log(answer);
  },
  'modals.list': async (stanza) => {
    for await (const item of stanza.modals.list()) {
      console.log(item);
    }
  },
  'modals.create': async (stanza) => {
    const answer = await stanza.modals.create({
      name: 'Refund',
      title: 'Refund an order',
      blocks: [
        {
          type: 'input',
          label: { type: 'plain_text', text: 'Why should {{order.id}} be refunded?' },
          element: { type: 'plain_text_input', action_id: 'reason' },
        },
      ],
      sample_data: { order: { id: 'A-1' } },
      activate: true,
    });
    console.log(answer);
  },
  'modals.get': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const answer = await stanza.modals.get(modalId);
    console.log(answer);
  },
  'modals.update': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const answer = await stanza.modals.update(modalId, {
      title: 'Refund an order',
      steps: [
        {
          title: 'Refund: why',
          blocks: [
            {
              type: 'input',
              label: { type: 'plain_text', text: 'Why should {{order.id}} be refunded?' },
              element: { type: 'plain_text_input', action_id: 'reason' },
            },
          ],
          submit_label: 'Next',
        },
        {
          title: 'Refund: sure?',
          blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Refund {{order.id}}?' } }],
        },
      ],
    });
    console.log(answer);
  },
  'modals.delete': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const answer = await stanza.modals.delete(modalId);
    console.log(answer);
  },
  'modals.preview': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const answer = await stanza.modals.preview(modalId, { data: { order: { id: 'A-2' } } });
    console.log(answer);
  },
  'modals.versions.list': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    for await (const item of stanza.modals.versions.list(modalId)) {
      console.log(item);
    }
  },
  'modals.versions.append': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const answer = await stanza.modals.versions.append(modalId, {
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Refund {{order_id}}?' } }],
      placeholder_mapping: { order_id: 'order.id' },
      sample_data: { order: { id: 'A-1' } },
    });
    console.log(answer);
  },
  'modals.versions.get': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.modals.versions.get(modalId, versionId);
    console.log(answer);
  },
  'modals.versions.activate': async (stanza) => {
    const modalId = '01938c2e-7b1a-7c3d-9e4f-00009080a69e';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.modals.versions.activate(modalId, versionId);
    console.log(answer);
  },
  'organizations.get': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.organizations.get(organizationId);
    console.log(answer);
  },
  'organizations.update': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.organizations.update(organizationId, { name: 'Acme Rockets' });
    console.log(answer);
  },
  'organizations.delete': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.organizations.delete(organizationId);
    console.log(answer);
  },
  'organizations.invitations.list': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    for await (const item of stanza.organizations.invitations.list(organizationId)) {
      console.log(item);
    }
  },
  'organizations.invitations.revoke': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const invitationId = '01938c2e-7b1a-7c3d-9e4f-0000737e061e';
    const answer = await stanza.organizations.invitations.revoke(organizationId, invitationId);
    console.log(answer);
  },
  'organizations.invite': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.organizations.invite(organizationId, { email: 'ada@example.com', role: 'member', message: 'Join us to write the release notes.' });
    console.log(answer);
  },
  'organizations.members.list': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    for await (const item of stanza.organizations.members.list(organizationId)) {
      console.log(item);
    }
  },
  'organizations.members.update': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.organizations.members.update(organizationId, userId, { role: 'viewer' });
    console.log(answer);
  },
  'organizations.transferOwnership': async (stanza) => {
    const organizationId = '01938c2e-7b1a-7c3d-9e4f-0000b66efbea';
    const answer = await stanza.organizations.transferOwnership(organizationId, { user_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' });
    console.log(answer);
  },
  'proposals.list': async (stanza) => {
    for await (const item of stanza.proposals.list()) {
      console.log(item);
    }
  },
  'queues.list': async (stanza) => {
    for await (const item of stanza.queues.list()) {
      console.log(item);
    }
  },
  'queues.create': async (stanza) => {
    const answer = await stanza.queues.create({
      name: 'Deploy digest',
      mode: 'rolling_window',
      window_seconds: 60,
      max_window_seconds: 600,
      template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      channel_id: 'C0DEPLOYS',
    });
    console.log(answer);
  },
  'queues.get': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const answer = await stanza.queues.get(queueId);
    console.log(answer);
  },
  'queues.update': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const answer = await stanza.queues.update(queueId, { window_seconds: 120, is_active: true });
    console.log(answer);
  },
  'queues.delete': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const answer = await stanza.queues.delete(queueId);
    console.log(answer);
  },
  'queues.batches.list': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    for await (const item of stanza.queues.batches.list(queueId)) {
      console.log(item);
    }
  },
  'queues.batches.get': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const batchId = '01938c2e-7b1a-7c3d-9e4f-00001a03dffb';
    const answer = await stanza.queues.batches.get(queueId, batchId);
    console.log(answer);
  },
  'queues.batches.retry': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const batchId = '01938c2e-7b1a-7c3d-9e4f-00001a03dffb';
    const answer = await stanza.queues.batches.retry(queueId, batchId, { confirm_not_posted: false, use_current_template: false });
    console.log(answer);
  },
  'queues.events.push': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const answer = await stanza.queues.events.push(queueId, { events: [{ id: 'deploy-4711', service: 'api', version: '1.4.2' }] });
    console.log(answer);
  },
  'queues.flush': async (stanza) => {
    const queueId = '01938c2e-7b1a-7c3d-9e4f-0000f4dfb8b8';
    const answer = await stanza.queues.flush(queueId);
    console.log(answer);
  },
  'sampleData.list': async (stanza) => {
    for await (const item of stanza.sampleData.list()) {
      console.log(item);
    }
  },
  'sampleData.create': async (stanza) => {
    const answer = await stanza.sampleData.create({ name: 'A big order', data: { order: { id: 'A-1', total: 9800 } } });
    console.log(answer);
  },
  'sampleData.get': async (stanza) => {
    const sampleDataId = '01938c2e-7b1a-7c3d-9e4f-0000739a6fde';
    const answer = await stanza.sampleData.get(sampleDataId);
    console.log(answer);
  },
  'sampleData.update': async (stanza) => {
    const sampleDataId = '01938c2e-7b1a-7c3d-9e4f-0000739a6fde';
    const answer = await stanza.sampleData.update(sampleDataId, { name: 'A bigger order', data: { order: { id: 'A-2', total: 19800 } } });
    console.log(answer);
  },
  'sampleData.delete': async (stanza) => {
    const sampleDataId = '01938c2e-7b1a-7c3d-9e4f-0000739a6fde';
    const answer = await stanza.sampleData.delete(sampleDataId);
    console.log(answer);
  },
  'scheduledMessages.list': async (stanza) => {
    for await (const item of stanza.scheduledMessages.list()) {
      console.log(item);
    }
  },
  'scheduledMessages.create': async (stanza) => {
    const answer = await stanza.scheduledMessages.create({
      template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      data: { service: 'api', version: '1.4.2' },
      channel_id: 'C0DEPLOYS',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
    });
    console.log(answer);
  },
  'scheduledMessages.get': async (stanza) => {
    const scheduledMessageId = '01938c2e-7b1a-7c3d-9e4f-00004b04f72e';
    const answer = await stanza.scheduledMessages.get(scheduledMessageId);
    console.log(answer);
  },
  'scheduledMessages.cancel': async (stanza) => {
    const scheduledMessageId = '01938c2e-7b1a-7c3d-9e4f-00004b04f72e';
    const answer = await stanza.scheduledMessages.cancel(scheduledMessageId);
    console.log(answer);
  },
  'scim.serviceProviderConfig.get': async (stanza) => {
    const answer = await stanza.scim.serviceProviderConfig.get();
    console.log(answer);
  },
  'scim.users.list': async (stanza) => {
    const answer = await stanza.scim.users.list();
    console.log(answer);
  },
  'scim.users.get': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.scim.users.get(userId);
    console.log(answer);
  },
  'scim.users.replace': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.scim.users.replace(userId, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada@example.com',
      active: false,
    });
    console.log(answer);
  },
  'scim.users.patch': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.scim.users.patch(userId, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    });
    console.log(answer);
  },
  'scim.users.delete': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    await stanza.scim.users.delete(userId);
  },
  'search.entities': async (stanza) => {
    for await (const item of stanza.search.entities({ q: 'deploy' })) {
      console.log(item);
    }
  },
  'search.templates': async (stanza) => {
    for await (const item of stanza.search.templates({ q: 'deploy' })) {
      console.log(item);
    }
  },
  'templates.list': async (stanza) => {
    for await (const item of stanza.templates.list()) {
      console.log(item);
    }
  },
  'templates.create': async (stanza) => {
    const answer = await stanza.templates.create({
      name: 'Deploy alert',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*{{version}}* is live, by {{author.name}}.' },
        },
      ],
      sample_data: { service: 'api', version: '1.4.2' },
    });
    console.log(answer);
  },
  'templates.blockSchema.get': async (stanza) => {
    const answer = await stanza.templates.blockSchema.get();
    console.log(answer);
  },
  'templates.compile': async (stanza) => {
    const answer = await stanza.templates.compile({
      template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      data: { service: 'api', version: '1.4.2', author: { name: 'Ada' } },
    });
    console.log(answer);
  },
  'templates.preview': async (stanza) => {
    const answer = await stanza.templates.preview({
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
      data: { name: 'Ada' },
    });
    console.log(answer);
  },
  'templates.promote': async (stanza) => {
    const answer = await stanza.templates.promote({ from: 'preview', keys: ['deploy-alert'], note: 'shorter header' });
    console.log(answer);
  },
  'templates.send': async (stanza) => {
    const answer = await stanza.templates.send({
      template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      data: { service: 'api', version: '1.4.2' },
      channel_id: 'C0DEPLOYS',
    });
    console.log(answer);
  },
  'templates.sendBulk': async (stanza) => {
    const answer = await stanza.templates.sendBulk({
      template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      data: { service: 'api', version: '1.4.2' },
      destinations: [{ channel_id: 'C0DEPLOYS' }, { recipient_email: 'ada@example.com' }],
    });
    console.log(answer);
  },
  'templates.testSend': async (stanza) => {
    const answer = await stanza.templates.testSend({
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
      data: { name: 'Ada' },
      channel_id: 'C0DEPLOYS',
    });
    console.log(answer);
  },
  'templates.validate': async (stanza) => {
    const answer = await stanza.templates.validate({
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
      sample_data: { name: 'Ada' },
    });
    console.log(answer);
  },
  'templates.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.get(templateId);
    console.log(answer);
  },
  'templates.update': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.update(templateId, { name: 'Deploy alert', fallback_text: 'Deploy of {{service}}', timezone: 'Europe/Berlin' });
    console.log(answer);
  },
  'templates.delete': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.delete(templateId);
    console.log(answer);
  },
  'templates.activations.list': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    for await (const item of stanza.templates.activations.list(templateId)) {
      console.log(item);
    }
  },
  'templates.agentSends.set': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.agentSends.set(templateId, { enabled: true });
    console.log(answer);
  },
  'templates.archive': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.archive(templateId);
    console.log(answer);
  },
  'templates.diff': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.diff(templateId, { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }] });
    console.log(answer);
  },
  'templates.draft.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.draft.get(templateId);
    console.log(answer);
  },
  'templates.draft.put': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.draft.put(templateId, {
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }],
      metadata: { fallback_text: 'Deploy of {{version}}' },
      sample_data: { version: '1.4.2' },
    });
    console.log(answer);
  },
  'templates.draft.delete': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.draft.delete(templateId);
    console.log(answer);
  },
  'templates.draft.save': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.draft.save(templateId, { note: 'shorter header' });
    console.log(answer);
  },
  'templates.duplicate': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.duplicate(templateId, { name: 'Deploy alert for staging' });
    console.log(answer);
  },
  'templates.impact.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.impact.get(templateId, { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }] });
    console.log(answer);
  },
  'templates.inputSchema.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.inputSchema.get(templateId);
    console.log(answer);
  },
  'templates.inputSchema.automation.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.inputSchema.automation.get(templateId);
    console.log(answer);
  },
  'templates.proposals.list': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    for await (const item of stanza.templates.proposals.list(templateId)) {
      console.log(item);
    }
  },
  'templates.proposals.propose': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.proposals.propose(templateId, {
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }],
      note: 'shorter header',
    });
    console.log(answer);
  },
  'templates.proposals.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const proposalId = '01938c2e-7b1a-7c3d-9e4f-0000190b2f9f';
    const answer = await stanza.templates.proposals.get(templateId, proposalId);
    console.log(answer);
  },
  'templates.proposals.accept': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const proposalId = '01938c2e-7b1a-7c3d-9e4f-0000190b2f9f';
    const answer = await stanza.templates.proposals.accept(templateId, proposalId, { note: 'looks right' });
    console.log(answer);
  },
  'templates.proposals.decline': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const proposalId = '01938c2e-7b1a-7c3d-9e4f-0000190b2f9f';
    const answer = await stanza.templates.proposals.decline(templateId, proposalId, { reason: 'The amount is missing.' });
    console.log(answer);
  },
  'templates.proposals.withdraw': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const proposalId = '01938c2e-7b1a-7c3d-9e4f-0000190b2f9f';
    const answer = await stanza.templates.proposals.withdraw(templateId, proposalId);
    console.log(answer);
  },
  'templates.unarchive': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.unarchive(templateId);
    console.log(answer);
  },
  'templates.use.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.use.get(templateId);
    console.log(answer);
  },
  'templates.versions.list': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    for await (const item of stanza.templates.versions.list(templateId)) {
      console.log(item);
    }
  },
  'templates.versions.append': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const answer = await stanza.templates.versions.append(templateId, {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*{{version}}* is live, by {{author.name}}.' },
        },
      ],
      note: 'shorter header',
    });
    console.log(answer);
  },
  'templates.versions.get': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.templates.versions.get(templateId, versionId);
    console.log(answer);
  },
  'templates.versions.activate': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.templates.versions.activate(templateId, versionId, { note: 'shorter header' });
    console.log(answer);
  },
  'templates.versions.diff': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.templates.versions.diff(templateId, versionId, { against: '01938c2e-7b1a-7c3d-9e4f-000036eae700' });
    console.log(answer);
  },
  'templates.versions.testSend': async (stanza) => {
    const templateId = '01938c2e-7b1a-7c3d-9e4f-0000694aaa0b';
    const versionId = '01938c2e-7b1a-7c3d-9e4f-00004671ae97';
    const answer = await stanza.templates.versions.testSend(templateId, versionId, { data: { service: 'api', version: '1.4.2' }, channel_id: 'C0DEPLOYS' });
    console.log(answer);
  },
  'usage.get': async (stanza) => {
    for await (const item of stanza.usage.get()) {
      console.log(item);
    }
  },
  'usage.limits.get': async (stanza) => {
    const answer = await stanza.usage.limits.get();
    console.log(answer);
  },
  'users.profile.get': async (stanza) => {
    const answer = await stanza.users.profile.get();
    console.log(answer);
  },
  'users.profile.update': async (stanza) => {
    const answer = await stanza.users.profile.update({ first_name: 'Ada', last_name: 'Lovelace' });
    console.log(answer);
  },
  'users.profile.organizations.list': async (stanza) => {
    for await (const item of stanza.users.profile.organizations.list()) {
      console.log(item);
    }
  },
  'users.get': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.users.get(userId);
    console.log(answer);
  },
  'users.delete': async (stanza) => {
    const userId = '01938c2e-7b1a-7c3d-9e4f-000060785ef2';
    const answer = await stanza.users.delete(userId);
    console.log(answer);
  },
};
