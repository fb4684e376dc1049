/** The screens in the order of the navigation, by the part of the address that names them. */
export const screens = [
  ['templates', 'Templates'],
  ['modals', 'Modals'],
  ['messages', 'Messages'],
  ['queues', 'Queues'],
  ['schedules', 'Schedules'],
  ['destinations', 'Destinations'],
  ['events', 'Events'],
  ['connections', 'Connections'],
  ['keys', 'Keys'],
  ['people', 'People'],
  ['usage', 'Usage'],
  ['audit-log', 'Audit log'],
  ['settings', 'Settings'],
] as const;

/** Name of a screen in addresses. */
export type Screen = (typeof screens)[number][0];
