import type { Screen } from './screens.ts';

/** The page of the documentation that tells more of a screen, and of writing a template, with what it tells. */
export const help: Readonly<Record<Screen | 'editor', readonly [page: string, about: string]>> = {
  templates: ['console#write-a-template', 'How templates are written'],
  modals: ['modals', 'How modals work'],
  messages: ['living-messages', 'What can be done with a sent message'],
  queues: ['queues', 'How queues work'],
  schedules: ['schedules', 'How schedules work'],
  destinations: ['destinations', 'How destinations work'],
  events: ['events', 'All events, and what is in them'],
  connections: ['connections', 'How to connect a workspace'],
  keys: ['people#keys', 'How keys work'],
  people: ['people', 'How roles and invitations work'],
  usage: ['credits', 'How credits are counted'],
  'audit-log': ['people#the-audit-log', 'What is in the audit log'],
  settings: ['people', 'How organizations work'],
  editor: ['templates', 'Blocks, placeholders and filters'],
};
