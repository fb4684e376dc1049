import {
  appendTemplateVersion,
  createQueue,
  createTemplate,
  flushQueue,
  getBatch,
  pushEvents,
  sendTemplate,
} from '@stanza/contracts';
import { deployBlocks, liveTemplate } from '../support/templates.ts';
import { waitFor } from '../support/wait.ts';
import type { Home } from './home.ts';

/** Path parameters by name. */
export type Params = Record<string, string>;

/** What a parameter of a path names. */
export interface Fixture {
  /** Makes one over the API and answers its id; `above` holds the parameters that stand before it in the path. */
  make: (home: Home, above: Params) => Promise<string>;
  /** Set for what both environments of an organization share: a key of the other one may reach it. */
  isShared?: true;
}

let channels = 0;

/** A channel that no other request of this run posts to, since a channel takes a message a second. */
const ownChannel = (): string => `C${1900 + (channels++ % 100)}`;

const ownOrganization: Fixture = {
  make: async ({ organization }) => organization.id,
  isShared: true,
};

const newQueue = async ({ api }: Home, channel_id: string): Promise<string> => {
  const { id: template_id } = await liveTemplate(api);
  const policy = { name: 'Matrix', mode: 'rolling_window', window_seconds: 3_600 };
  return (await api.ok(createQueue, { body: { ...policy, template_id, channel_id } })).id;
};

const pushOne = async ({ api }: Home, id: string): Promise<string> =>
  (await api.ok(pushEvents, { params: { id }, body: { events: [{ service: 'api' }] } })).batch_id;

/**
 * What each path parameter of the API names, by the path that ends in it. An operation whose path has a parameter that
 * is not here fails the unit test beside this file: add the resource once, and every operation on it has its cases.
 */
export const fixtures: Readonly<Record<string, Fixture>> = {
  '/credits/{organization_id}': ownOrganization,
  '/messages/{id}': {
    make: async ({ api }) => {
      const { id: template_id } = await liveTemplate(api);
      const body = { template_id, data: {}, channel_id: ownChannel() };
      return (await api.ok(sendTemplate, { body })).message_id;
    },
  },
  '/queues/{id}': { make: (home) => newQueue(home, ownChannel()) },
  '/queues/{id}/batches/{batch_id}': { make: (home, { id = '' }) => pushOne(home, id) },
  '/templates/{id}': { make: async ({ api }) => (await liveTemplate(api)).id },
  '/templates/{id}/versions/{version_id}': {
    make: async ({ api }, params) =>
      (await api.ok(appendTemplateVersion, { params, body: { blocks: deployBlocks } })).id,
  },
};

/**
 * Keys of bodies and queries that name another resource, with the path that ends in its id: the value in an operation's
 * example is replaced by one that exists.
 */
export const references: Readonly<Record<string, string>> = {
  template_id: '/templates/{id}',
};

/** Paths whose answers are about both environments of an organization, whichever asks. */
export const sharedPaths: readonly string[] = ['/audit-log'];

/** What a request needs besides its example, its fixtures and its references; what is given goes before all of them. */
export interface Particulars {
  params?: (home: Home) => Promise<Params>;
  query?: (home: Home) => Promise<Params>;
  body?: (home: Home) => Promise<Record<string, unknown>>;
}

/** Particulars by operation id: a value that may be used once only, or a resource in a certain state. */
export const particulars: Readonly<Record<string, Particulars>> = {
  'activate-template-version': {
    params: async ({ api }) => {
      const made = await api.ok(createTemplate, { body: { name: 'Matrix', blocks: deployBlocks } });
      return { id: made.id, version_id: made.version.id };
    },
  },
  'create-queue': { body: async () => ({ channel_id: ownChannel() }) },
  'retry-batch': {
    params: async (home) => {
      const id = await newQueue(home, 'C0ARCHIVED');
      const batch_id = await pushOne(home, id);
      await home.api.ok(flushQueue, { params: { id } });
      await waitFor('the delivery to fail', async () => {
        const { status } = await home.api.ok(getBatch, { params: { id, batch_id } });
        return status === 'failed';
      });
      return { id, batch_id };
    },
  },
  'send-template': { body: async () => ({ channel_id: ownChannel() }) },
};
