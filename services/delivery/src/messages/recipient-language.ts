import type { CodedError } from '@stanza/contracts';
import { toCodedError } from '@stanza/runtime';
import type { ChatAccess } from '../chat/platform.ts';
import type { Recipients } from '../chat/recipients.ts';
import { type Deadline, minPostMs } from '../deadline.ts';
import type { Addressed, MessageOrder } from './message.ts';

/** Milliseconds for which a message waits for the language of its recipient, and that it leaves for compiling. */
const patienceMs = 3_000;
const compileRoomMs = 1_000;

/** The language of one recipient; undefined where it is the template's own. */
export interface RecipientLanguage {
  locale: string | undefined;
  /** Why it could not be looked up. */
  failure?: CodedError;
}

const asked = ({ recipient, visibleTo }: Pick<Addressed, 'recipient' | 'visibleTo'>) =>
  visibleTo === undefined ? recipient : { recipient_chat_id: visibleTo };

/**
 * Looks up the languages of recipients, all at once. Never rejects: a language is no reason to lose a message, and
 * someone whom the platform does not know is told by the post.
 */
export const languagesOf = (
  recipients: Pick<Recipients, 'localeOf'>,
  access: ChatAccess,
  { deadline, log }: Pick<MessageOrder, 'log'> & { deadline: Deadline },
  addresses: readonly Pick<Addressed, 'recipient' | 'visibleTo'>[],
): Promise<RecipientLanguage[]> => {
  const room = deadline.before(minPostMs + compileRoomMs).within(patienceMs);
  const asker = { deadline: room, log, journal: [], yields: true };
  return Promise.all(
    addresses.map(async (address): Promise<RecipientLanguage> => {
      try {
        return { locale: await recipients.localeOf(access, asked(address), asker) };
      } catch (err) {
        const failure = toCodedError(err);
        if (failure.code === 'chat_user_not_found') return { locale: undefined };
        if (failure.code === 'internal_error') log.error({ err }, 'a language lookup failed unexpectedly');
        return { locale: undefined, failure };
      }
    }),
  );
};

/** The warning of messages whose language is not known. */
export const unknownLanguage = ({ code }: CodedError): string =>
  `The language of a recipient could not be looked up (\`${code}\`), so the message is in that of the template.`;
