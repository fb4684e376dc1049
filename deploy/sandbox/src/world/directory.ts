import { demoPeople } from '../identity/people.ts';

/** A person of the simulated workspace. */
export interface User {
  /** `U…` */
  readonly id: string;
  readonly email: string;
  /** The name shown next to a mention. */
  readonly realName: string;
  /** The language of the account, as `users.info` says it on request. */
  readonly locale: string;
}

/** A place to post to: a channel (`C…`) or a direct message with one person (`D…`). */
export interface Conversation {
  readonly id: string;
  readonly name: string;
  /** True when the bot may read and write here. */
  readonly botIsMember: boolean;
  readonly isArchived: boolean;
  /** The other person of a direct message. */
  readonly user?: User;
}

/** First number of the ids kept for bulk tests and benches. */
const VOLUME_FIRST = 1_000;
/** Last number of the ids kept for bulk tests and benches. */
const VOLUME_LAST = 1_999;

function volumeNumbers(): number[] {
  return Array.from({ length: VOLUME_LAST - VOLUME_FIRST + 1 }, (_, index) => VOLUME_FIRST + index);
}

function knownUsers(): User[] {
  return [
    { id: 'U0ADA', email: 'ada@example.com', realName: 'Ada Lovelace', locale: 'en-GB' },
    { id: 'U0GRACE', email: 'grace@example.com', realName: 'Grace Hopper', locale: 'en-US' },
    { id: 'U0LINUS', email: 'linus@example.com', realName: 'Linus Pauling', locale: 'de-DE' },
    { id: 'U0HYPATIA', email: 'hypatia@example.com', realName: 'Hypatia of Alexandria', locale: 'ar-EG' },
    // Those who sign in at the console write tests to themselves.
    ...demoPeople.map(({ subject, name }) => ({
      id: `U0${name.replace(/\W/g, '').toUpperCase()}`,
      email: subject,
      realName: name,
      locale: 'en-US',
    })),
    ...volumeNumbers().map((number) => ({
      id: `U${number}`,
      email: `user${number}@example.com`,
      realName: `User ${number}`,
      locale: number % 2 === 0 ? 'en-US' : 'de-DE',
    })),
  ];
}

function channel(id: string, name: string, state: Partial<Conversation> = {}): Conversation {
  return { id, name, botIsMember: true, isArchived: false, ...state };
}

function directMessage(user: User): Conversation {
  return { id: directMessageId(user), name: user.realName, botIsMember: true, isArchived: false, user };
}

/**
 * The id of the direct message with a person. It is derived from the person's id, so an id that a client stored stays
 * valid after a restart of the sandbox.
 */
function directMessageId(user: User): string {
  return `D${user.id.slice(1)}`;
}

function knownConversations(users: readonly User[]): Conversation[] {
  return [
    channel('C0GENERAL', 'general'),
    channel('C0ALERTS', 'alerts'),
    channel('C0DEPLOYS', 'deploys'),
    channel('C0SECRET', 'secret', { botIsMember: false }),
    channel('C0ARCHIVED', 'archived', { isArchived: true }),
    ...volumeNumbers().map((number) => channel(`C${number}`, `volume-${number}`)),
    ...users.map(directMessage),
  ];
}

const users = knownUsers();
const usersById = new Map(users.map((user) => [user.id, user]));
const usersByEmail = new Map(users.map((user) => [user.email, user]));
const conversations = new Map(knownConversations(users).map((entry) => [entry.id, entry]));

/** Every person of the workspace. */
export function allUsers(): readonly User[] {
  return users;
}

/** Every channel and direct message of the workspace. */
export function allConversations(): Iterable<Conversation> {
  return conversations.values();
}

/** The person with this id, if any. */
export function findUser(id: string): User | undefined {
  return usersById.get(id);
}

/** The person with this e-mail address, compared without regard to case, if any. */
export function findUserByEmail(email: string): User | undefined {
  return usersByEmail.get(email.trim().toLowerCase());
}

/** The conversation that an id names; a person's id (`U…`) names the direct message with that person. */
export function findConversation(id: string): Conversation | undefined {
  const user = usersById.get(id);
  return conversations.get(user === undefined ? id : directMessageId(user));
}
