import type { ChatChannel, ChatPerson, Message } from '@stanza/contracts';

/** Channels and people of the workspace, as far as they are known. */
export interface ChatNames {
  readonly channels: readonly Pick<ChatChannel, 'id' | 'name'>[];
  readonly people: readonly Pick<ChatPerson, 'id' | 'name' | 'email'>[];
}

/** Where a message goes, by one of three forms. */
type Target = {
  [form in keyof Message['destination']]?: string | null | undefined;
};

/** Where a message goes, by name where that is known. */
export const targetName = (target: Target, { channels, people }: ChatNames): string => {
  const { channel_id, recipient_email, recipient_chat_id } = target;
  const channel = channels.find(({ id }) => id === channel_id);
  if (channel) return `#${channel.name}`;
  const person = people.find(({ id }) => id === recipient_chat_id);
  return person?.name ?? channel_id ?? recipient_email ?? recipient_chat_id ?? '–';
};

/** The ids of where a message goes, for those who look their names up. */
export const targetIds = ({ channel_id, recipient_chat_id }: Target): (string | null | undefined)[] => [
  channel_id,
  recipient_chat_id,
];

/** One page of a list of the workspace. */
interface NamesPage<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Lookups at one time: a page of a list has fifty rows at most, and most of them go to a few channels. */
const maxLookups = 50;

const missingIn = <T extends { id: string; name: string }>(
  sought: readonly string[],
  page: NamesPage<T> | undefined,
): string[] => {
  if (!page?.next_cursor) return [];
  const known = new Set(page.data.flatMap(({ id, name }) => [id.toLowerCase(), name.toLowerCase()]));
  return sought.filter((text) => !known.has(text.replace(/^#/, '').toLowerCase())).slice(0, maxLookups);
};

/** Those sought that the first pages of channels and people do not name, by where they may be. */
export const soughtAmong = (
  texts: readonly (string | null | undefined)[],
  channels: NamesPage<ChatNames['channels'][number]> | undefined,
  people: NamesPage<ChatNames['people'][number]> | undefined,
): { channels: string[]; people: string[] } => {
  const sought = [...new Set(texts.flatMap((text) => text?.trim() || []))];
  const isPerson = (text: string) => /^[UW][A-Z0-9]{2,}$/.test(text) || text.includes('@');
  const isChannel = (text: string) => /^[CDG][A-Z0-9]{2,}$/.test(text) || text.startsWith('#');
  return {
    channels: missingIn(
      sought.filter((text) => !isPerson(text)),
      channels,
    ),
    people: missingIn(
      sought.filter((text) => !isChannel(text)),
      people,
    ),
  };
};

/** The names and addresses that can be chosen to find people. */
export const peopleChoices = ({ people }: ChatNames): string[] =>
  people.flatMap(({ name, email }) => [name, ...(email ? [email] : [])]);

/** The id of a person that a text stands for: a name, an address, or the id itself. */
export const personFilter = (text: string | undefined, { people }: ChatNames): string | undefined => {
  const typed = text?.trim().toLowerCase();
  return (
    people.find((one) => one.name.toLowerCase() === typed || one.email?.toLowerCase() === typed)?.id ?? text
  );
};

/** What can be chosen to find messages by where they went. A person is found as the request named them. */
export const targetChoices = (names: ChatNames): string[] => [
  ...names.channels.map(({ name }) => `#${name}`),
  ...peopleChoices(names),
];

/** The filter of the log that a text stands for: a name, an address, or an id. */
export const targetFilter = (
  text: string | undefined,
  { channels, people }: ChatNames,
): { channel?: string; recipient?: string } => {
  const typed = text?.trim() ?? '';
  if (typed === '') return {};
  const low = typed.toLowerCase();
  const channel = channels.find(({ name }) => `#${name}` === low || name === low);
  if (channel) return { channel: channel.id };
  const person = people.find(({ id, name }) => id === typed || name.toLowerCase() === low);
  if (person) return { recipient: person.id };
  return typed.includes('@') || /^[UW][A-Z0-9]+$/.test(typed) ? { recipient: typed } : { channel: typed };
};
