import {
  activateTemplateVersion,
  addMember,
  appendTemplateVersion,
  createDestination,
  createModal,
  createQueue,
  createScheduledMessage,
  createTemplate,
  deleteOrganization,
  getOrganization,
  getTemplate,
  listDestinations,
  listMessages,
  listModals,
  listQueues,
  listScheduledMessages,
  listTemplates,
  type Organization,
  pushEvents,
  type Scope,
  sendTemplate,
  updateOrganization,
} from '@stanza/contracts';
import { messages, modals } from '@stanza/gallery/exhibits';
import { testStack } from '@stanza/test-kit/database';
import type { Api } from '../../kit/api.ts';
import { type BrowserWorld, openBrowserWorld } from '../../kit/browser-world.ts';
import type { World } from '../../kit/stack.ts';
import { type LiveTemplate, liveTemplate } from '../../kit/templates.ts';

const exhibit = (slug: string) => {
  const found = messages.find((it) => it.slug === slug);
  if (found === undefined) throw new Error(`the gallery has no ${slug}`);
  return found;
};

/** A template of the gallery whose version 1 is live, and a message that it has sent. */
const sentTemplate = async (api: Api, slug: string): Promise<LiveTemplate> => {
  const { source, data } = exhibit(slug);
  const { blocks, ...more } = source;
  const template = await liveTemplate(api, [...blocks], { ...more, sample_data: data });
  await api.ok(sendTemplate, { body: { template_id: template.id, data, channel_id: 'C0DEPLOYS' } });
  return template;
};

/** Eighty letters without a place to break them. */
const longName = 'Benachrichtigungsverteilungsschluesselverwaltungsoberflaechenkonfigurationsdatei';

/** Things with a name that is wider than a phone, which stand after all others in their lists. */
const nameAtLength = async (api: Api): Promise<void> => {
  const name = longName;
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: name } }];
  const { id: template_id } = await liveTemplate(api, blocks, { name });
  await api.ok(createModal, { body: { name, title: 'A long name', blocks } });
  const rule = { mode: 'rolling_window' as const, window_seconds: 600 };
  await api.ok(createQueue, { body: { name, template_id, channel_id: 'C0DEPLOYS', ...rule } });
  await api.ok(createDestination, { body: { name, url: `https://tickets.example.com/${name}` } });
};

const fill = async (api: Api): Promise<void> => {
  await nameAtLength(api);
  await sentTemplate(api, 'welcome');
  await sentTemplate(api, 'server-status');
  const { id: template_id } = await sentTemplate(api, 'deploy-alert');
  await api.ok(createTemplate, { body: exhibit('invoice').source });
  const [modal] = modals;
  await api.ok(createModal, { body: { ...modal?.source, sample_data: modal?.data, activate: true } });
  const queue = await api.ok(createQueue, {
    body: {
      name: 'Deploy digest',
      mode: 'rolling_window',
      window_seconds: 600,
      template_id,
      channel_id: 'C0DEPLOYS',
    },
  });
  await api.ok(pushEvents, {
    params: { id: queue.id },
    body: { events: [{ service: 'api' }, { service: 'web' }] },
  });
  await api.ok(createScheduledMessage, {
    body: {
      template_id,
      // Values inside of values, on each level with names and words that a phone has to break.
      data: {
        ...exhibit('deploy-alert').data,
        parts: [{ [longName]: longName, parts: [1, { parts: longName }] }],
      },
      channel_id: 'C0DEPLOYS',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
    },
  });
  await api.ok(createDestination, {
    body: { name: 'Ticket system', url: 'https://tickets.example.com/hooks/stanza', retry_enabled: true },
  });
};

/** An organization of which Olivia is a member, empty until it is filled. */
export interface ConsoleWorld {
  id: string;
  /** Gives every screen something to show. */
  fill: () => Promise<void>;
  /** Sends one message of a template that is live. */
  send: () => Promise<void>;
  /** The id of one thing of each list, by the part of the address that names the list; of the template of this name. */
  items: (template?: string) => Promise<Readonly<Record<string, string>>>;
  /** Makes another version of a template live; returns the one that was live before. */
  changeLive: (template: string) => Promise<string | null>;
  /** The organization as the API answers it. */
  read: () => Promise<Organization>;
  /** The API, with a key of the owner. */
  api: Api;
  /** That key. */
  key: string;
  /** A key of the owner for the preview environment. */
  previewKey: () => Promise<{ key: string }>;
  /** Another key of the owner, with these scopes alone. */
  keyWith: (scopes: Scope[]) => Promise<{ key: string }>;
  /** Deletes it with everything in it. */
  end: () => Promise<void>;
}

/**
 * Makes an organization for Olivia, whose sign-in the sandbox offers.
 * @param role hers in it
 */
export const openConsoleWorld = async (
  world: World,
  role: 'viewer' | 'member' | 'admin' = 'admin',
): Promise<ConsoleWorld> => {
  const organization = await world.newOrganization({ tier: 'pro' });
  const { key } = await organization.key();
  const api = world.api.with(key);
  await organization.call(addMember, {
    organization_id: organization.id,
    email: 'olivia@acme-rockets.example',
    first_name: 'Olivia',
    last_name: 'Owner',
    role,
    existing: true,
  });
  const params = { id: organization.id };
  await api.ok(updateOrganization, { params, body: { name: 'Orbit Labs' } });
  return {
    id: organization.id,
    api,
    key,
    previewKey: () => organization.key({ environment: 'preview' }),
    keyWith: (scopes) => organization.key({ scopes }),
    fill: () => fill(api),
    send: async () => {
      const { data } = await api.ok(listTemplates, { query: { q: 'Deploy alert' } });
      const [template] = data;
      if (template === undefined) throw new Error('fill it first');
      const { data: values } = exhibit('deploy-alert');
      await api.ok(sendTemplate, {
        body: { template_id: template.id, data: values, channel_id: 'C0DEPLOYS' },
      });
    },
    changeLive: async (id) => {
      const { current_version_id } = await api.ok(getTemplate, { params: { id } });
      const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Changed' } }];
      const { id: version_id } = await api.ok(appendTemplateVersion, { params: { id }, body: { blocks } });
      await api.ok(activateTemplateVersion, { params: { id, version_id }, body: {} });
      return current_version_id;
    },
    items: async (template) => {
      const lists = {
        templates: await api.ok(listTemplates, { query: template === undefined ? {} : { q: template } }),
        modals: await api.ok(listModals, { query: {} }),
        messages: await api.ok(listMessages, { query: {} }),
        queues: await api.ok(listQueues, { query: {} }),
        schedules: await api.ok(listScheduledMessages, { query: {} }),
        destinations: await api.ok(listDestinations, { query: {} }),
      };
      return Object.fromEntries(Object.entries(lists).map(([name, { data }]) => [name, data[0]?.id ?? '']));
    },
    read: () => api.ok(getOrganization, { params }),
    end: async () => void (await api.ok(deleteOrganization, { params })),
  };
};

/** A browser, the running stack, and an organization for Olivia in it. */
export interface ConsoleBrowser extends BrowserWorld {
  console: ConsoleWorld;
  /** Where people sign in. */
  identityUrl: string;
}

/** Opens a browser with an organization for Olivia, which is deleted at the close. */
export const openConsoleBrowser = async (): Promise<ConsoleBrowser> => {
  const opened = await openBrowserWorld();
  const console = await openConsoleWorld(opened.world);
  return {
    ...opened,
    console,
    identityUrl: testStack().identity_url,
    close: async () => {
      await console.end();
      await opened.close();
    },
  };
};
