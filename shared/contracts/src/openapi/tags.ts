import type { HttpOperation } from '../operation.ts';

/** What the parts of the API are about, by the first part of their paths, in the order of the documentation. */
const tagTable = {
  auth: 'Who the caller is.',
  'api-keys': 'Keys with which programs call the API, one environment each.',
  templates:
    'Templates and their immutable versions: write, check, activate, compile and send. See docs/templates.md for the language.',
  partials: 'Blocks that templates share, with versions of their own. See docs/partials.md.',
  proposals: 'Versions proposed to be made live, of all templates.',
  search: 'Finding templates and entities by name.',
  entities: 'Descriptions of the things that data is about, with their fields.',
  'sample-data': 'Data to try templates with.',
  modals: 'Views that messages open, and their versions.',
  messages: 'What was sent, and what came of it.',
  'scheduled-messages': 'Messages that are sent at a time, or again and again.',
  interactions: 'What people clicked or submitted, and what came of it.',
  queues: 'Queues that gather events into digests, and their batches.',
  destinations: 'Addresses outside that payloads are delivered to, and their deliveries.',
  'event-subscriptions': 'Which events of Stanza are delivered to which destination.',
  events: 'What happened: events for which there was a subscription.',
  'chat-connection': "The environment's connection to a chat workspace.",
  chat: 'What the chat platform calls.',
  organizations: 'The organization, its members and invitations.',
  invitations: 'Joining an organization.',
  users: 'People, as members and as themselves.',
  scim: 'Members as an identity provider manages them (SCIM 2.0, RFC 7643 and 7644).',
  credits: 'The cost of compiling and sending, and the balance.',
  usage: 'Use by day, operation, template or key, and the limits of the tier.',
  'audit-log': 'Who changed what.',
} as const;

const isTag = (name: string): name is keyof typeof tagTable => Object.hasOwn(tagTable, name);

/** The tag of an operation: the first part of its path, which the table above must describe. */
export const tagOf = ({ id, path }: HttpOperation): keyof typeof tagTable => {
  const name = path.split('/')[1] ?? '';
  if (isTag(name)) return name;
  throw new Error(`${id}: say what /${name} is about, in the table of openapi/tags.ts`);
};

/** The tags that operations have, in the order of the table. */
export const tagsOf = (operations: readonly HttpOperation[]): { name: string; description: string }[] => {
  const used = new Set<string>(operations.map(tagOf));
  return Object.entries(tagTable).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  );
};
