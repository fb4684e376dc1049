import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { type Recipient, recipientOfChannel, recipientOfPerson } from './recipients.ts';

/** A recipient with its name in the workspace, once that is found; what has one already stays as it is. */
export const useNamed = (recipient: Recipient | undefined, mayAsk = true): Recipient | undefined => {
  const { channel_id, recipient_chat_id } = recipient?.destination ?? {};
  const channel = recipient?.label === channel_id ? channel_id : undefined;
  const person = recipient?.label === recipient_chat_id ? recipient_chat_id : undefined;
  const inputFor = (id: string | null | undefined) => ({ query: { q: id ?? '', limit: 1 } });
  const channels = useRead(api.listChannels, inputFor(channel), { enabled: mayAsk && Boolean(channel) });
  const people = useRead(api.listPeople, inputFor(person), { enabled: mayAsk && Boolean(person) });
  const foundChannel = channels.data?.data.find(({ id }) => id === channel);
  const foundPerson = people.data?.data.find(({ id }) => id === person);
  if (foundChannel) return recipientOfChannel(foundChannel);
  return foundPerson ? recipientOfPerson(foundPerson) : recipient;
};
