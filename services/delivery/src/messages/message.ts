import type { Block, InputOf, ReplyOf, renderTemplate, sendTemplate } from '@stanza/contracts';
import type { CallContext, Logger, Tenant } from '@stanza/runtime';
import type { ChatAccess } from '../chat/access.ts';
import type { Attempt } from '../chat/chat-outcome.ts';
import type { Deadline } from '../deadline.ts';
import type { MessageOrigin } from './message-tables.ts';
import type { Recipient } from './recipient.ts';

/** True for messages of a request, whose caller waits. */
export const isRequest = (origin: MessageOrigin): boolean => origin === 'send' || origin === 'bulk';

/** The options of compiling a message. */
export type Compilation = Pick<InputOf<typeof sendTemplate>['body'], 'strict' | 'locale' | 'timezone'> & {
  /** Of a test send without it, the sample data of the version. */
  data?: Record<string, unknown> | undefined;
  template_id: string;
  /** The moment of the live version, RFC 3339; now by default. */
  live_at?: string;
  /** Entries that the events of the data do not fit are left out of the message. */
  digest?: boolean;
};

/** In the place of an id in a row whose message has no template or no version: a test of blocks. */
export const noId = '00000000-0000-0000-0000-000000000000';

/** What a test send compiles in place of the live version: a version of the template, or blocks. */
export type TestContent = { version_id: string } | { blocks: Block[] };

/** A message to be sent. */
export interface MessageOrder {
  tenant: Tenant;
  /** Its operation id makes the message unique. */
  context: CallContext;
  actorId: string;
  origin: MessageOrigin;
  originId: string | null;
  compilation: Compilation;
  /** Of a test send alone. */
  test?: TestContent | undefined;
  recipient: Recipient;
  threadTs: string | null;
  deadline: Deadline;
  log: Logger;
}

/** One message for each of several recipients, in one operation. */
export type BulkOrder = Omit<MessageOrder, 'recipient'> & { recipients: Recipient[] };

/** A message in flight, before anything is reserved or written for it. */
export interface PreparedMessage extends MessageOrder {
  id: string;
  /** Number of the message within its operation. */
  item: number;
  /** The try of the deferred send, which each write of its row requires; 0 for a request. */
  fence: number;
  rendered: Omit<ReplyOf<typeof renderTemplate>, 'template_name'>;
  access: ChatAccess;
  /** Chosen now, so that the charge and the outcome can be written in one transaction after the post. */
  creditLogId: string;
  /** Set once its row says `posting`: the conversation, and the moment by the database's clock. */
  posting?: { channel: string; postingAt: Date };
  /** The calls made for it so far. */
  journal: Attempt[];
}
