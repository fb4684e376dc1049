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
