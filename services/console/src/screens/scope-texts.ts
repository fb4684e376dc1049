import type { Scope } from '@stanza/contracts';

/** What each scope allows, in words for people and in the order of the contract's table; a test compares the two. Reserved scopes are left out. */
export const scopeTexts: readonly (readonly [scope: Scope, allows: string])[] = [
  ['templates:read', 'read and search templates and their versions'],
  ['entities:read', 'read descriptions of data: which values there are, and of what type'],
  ['organizations:read', 'see the organization, its people and its queues, without the events in them'],
  ['usage:read', 'see credits, usage, the log of messages, and events'],
  ['sample-data:read', 'read saved data'],
  ['modals:read', 'read modals and their versions'],
  ['destinations:read', 'see destinations, what was delivered to them, and which events they get'],
  ['interactions:read', 'see what people clicked or entered'],
  ['templates:create', 'create templates'],
  ['templates:update', 'change templates, save and propose versions'],
  ['templates:activate', 'make a version live'],
  ['messages:create', 'send messages'],
  ['messages:preview', 'check blocks and see the message, without sending it'],
  ['entities:write', 'create, change and delete descriptions of data'],
  ['modals:write', 'create and change modals, and make them live'],
  ['sample-data:write', 'create, change and delete saved data'],
  ['templates:delete', 'delete templates'],
  ['organizations:write', 'rename the organization, change its policies and invite people'],
  ['users:read', 'look up people of the organization by id, and see invitations'],
  ['users:write', 'remove people from the organization'],
  ['users:provision', 'deactivate and reactivate people for an identity provider (SCIM)'],
  ['queues:write', 'create and change queues, add events to them and read those events'],
  [
    'destinations:write',
    'create, change, test and delete destinations, and, with usage:read, choose which events they get',
  ],
  ['connections:write', 'connect the organization to its chat workspace'],
  ['api-keys:read', 'see the API keys'],
  ['api-keys:write', 'create and revoke API keys'],
  ['audit:read', 'read the audit log'],
  ['organizations:delete', 'delete the organization'],
  ['organizations:transfer', 'make another person the owner'],
];

const named = 5;

/** What is ticked, at a glance. */
export const chosenWords = (chosen: ReadonlySet<Scope>, offered: number): string => {
  if (chosen.size === 0) return 'Nothing is ticked yet: the key could do nothing.';
  const words = scopeTexts.filter(([scope]) => chosen.has(scope)).map(([, allows]) => allows);
  const more = words.length > named ? `; and ${words.length - named} more` : '';
  return `${chosen.size} of ${offered} ticked. It may ${words.slice(0, named).join('; ')}${more}.`;
};
