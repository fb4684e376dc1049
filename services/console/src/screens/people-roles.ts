/** Roles that can be given, each with what it allows. */
export const roles = [
  ['viewer', 'viewer: reads everything but people and keys'],
  ['member', 'member: writes templates and sends messages'],
  ['admin', 'admin: also queues, destinations, keys and people'],
] as const;

/** See {@link roles}. */
export type Grantable = (typeof roles)[number][0];

/** The role that a choice names. */
export const roleIn = (text: string): Grantable => roles.find(([role]) => role === text)?.[0] ?? 'viewer';
