import type { InputOf, ReplyOf, renderTemplate, sendTemplate } from '@stanza/contracts';
import type { CallContext, Logger, Tenant } from '@stanza/runtime';
import type { ChatAccess } from '../chat/access.ts';
import type { Attempt } from '../chat/chat-outcome.ts';
import type { Deadline } from '../deadline.ts';
import type { MessageOrigin } from '../store/rows.ts';
import type { Recipient } from './recipient.ts';

/** How a message is compiled. */
export type Compilation = Pick<
  InputOf<typeof sendTemplate>['body'],
  'template_id' | 'data' | 'strict' | 'locale' | 'timezone'
> & {
  /** The moment whose live version is meant, RFC 3339; now unless given. */
  live_at?: string;
};

/** A message that somebody wants sent. */
export interface MessageOrder {
  tenant: Tenant;
  /** Its operation id is what makes the message happen once. */
  context: CallContext;
  actorId: string;
  origin: MessageOrigin;
  originId: string | null;
  compilation: Compilation;
  recipient: Recipient;
  threadTs: string | null;
  deadline: Deadline;
  log: Logger;
}

/** One message for each of several recipients, in one operation. */
export type BulkOrder = Omit<MessageOrder, 'recipient'> & { recipients: Recipient[] };

/** A message on its way, before anything is reserved or written for it. */
export interface PreparedMessage extends MessageOrder {
  id: string;
  /** Number of the message within its operation. */
  item: number;
  /** The try of the deferred send that works on it, which each write of its row requires; 0 for a request. */
  fence: number;
  rendered: ReplyOf<typeof renderTemplate>;
  access: ChatAccess;
  /** Chosen now, so that the charge and the outcome can be written in one transaction after the post. */
  creditLogId: string;
  /** The calls made for it so far. */
  journal: Attempt[];
}
