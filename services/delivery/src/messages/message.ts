import {
  type Block,
  type CodedError,
  type InputOf,
  type OnExisting,
  type ReplyOf,
  recipientLocale,
  type renderTemplate,
  type sendBulk,
  type sendTemplate,
  type testSendBlocks,
  type testSendVersion,
} from '@stanza/contracts';
import {
  type Call,
  type CallContext,
  type Logger,
  namedTemplateId,
  type ServiceContext,
  type TemplateLookup,
  type Tenant,
} from '@stanza/runtime';
import { z } from 'zod';
import type { Attempt, ChatAccess } from '../chat/platform.ts';
import { type Recipient, recipientOf } from '../chat/recipients.ts';
import { Deadline } from '../deadline.ts';
import type { MessageChange, MessageOrigin } from './message-tables.ts';
import { threadOf } from './thread.ts';

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

/** Whether a message is in the language of its recipient. */
export const isInLanguageOfRecipient = ({ locale }: Compilation): boolean => locale === recipientLocale;

/** In the place of an id in a row whose message has no template or no version: a test of blocks. */
export const noId = '00000000-0000-0000-0000-000000000000';

/** What a test send compiles in place of the live version: a version of the template, or blocks. */
export type TestContent = { version_id: string } | { blocks: Block[] };

/** A message that a change is made of, and what the change does. Its place is known once it is the change's turn. */
export interface Revised {
  id: string;
  change: MessageChange;
  workspaceId: string;
  threadTs: string | null;
}

/** The sender's own name for a message, and what becomes of one that has it. */
export interface Keyed {
  key: string;
  onExisting: OnExisting;
}

/** What shows a live batch before it closes: its post is charged, and its updates are not. */
export interface Interim {
  /**
   * Makes sure that the batch still collects, once all that comes later takes its turn behind this.
   * @throws CodedError `not_found` when it has closed
   */
  stillCollects: () => Promise<void>;
}

/** Options of a post, by the platform's names. */
export type PostOptions = Pick<
  InputOf<typeof sendTemplate>['body'],
  'reply_broadcast' | 'unfurl_links' | 'unfurl_media'
>;

/** A message to be sent, or a change of one. */
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
  /** Of a change alone. */
  revises?: Revised | undefined;
  recipient: Recipient;
  threadTs: string | null;
  /** The one person of the channel who sees it. */
  visibleTo?: string | undefined;
  keyed?: Keyed | undefined;
  /** Of a batch that still collects alone. */
  interim?: Interim | undefined;
  options?: PostOptions;
  deadline: Deadline;
  log: Logger;
}

/** Where a message goes, and what it is there. */
export type Addressed = Pick<MessageOrder, 'recipient' | 'threadTs' | 'visibleTo' | 'keyed'>;

/** One message for each of several recipients, in one operation. */
export type BulkOrder = Omit<MessageOrder, keyof Addressed> & { recipients: Addressed[] };

/** A message in flight, before anything is reserved or written for it. */
export interface PreparedMessage extends MessageOrder {
  id: string;
  /** Number of the message within its operation. */
  item: number;
  /** The try of the deferred send, which each write of its row requires; 0 for a request. */
  fence: number;
  rendered: Omit<ReplyOf<typeof renderTemplate>, 'template_name'>;
  /** Null for a deletion. */
  contentDigest: string | null;
  /** 1 for a post; a change gets its own when it begins. */
  revision: number;
  access: ChatAccess;
  /** Chosen now, so that the charge and the outcome can be written in one transaction after the post. */
  creditLogId: string;
  /** Set once its row says `posting`: the conversation, and the moment by the database's clock. */
  posting?: { channel: string; postingAt: Date };
  /** Why its conversation was not found when it was to get its place under its key. */
  unlocated?: CodedError;
  /** The calls made for it so far. */
  journal: Attempt[];
  /** Messages of its bulk send whose outcome is not known yet; its own is no longer among them when it ends. */
  outstanding?: { messages: number };
}

/** A change of a message in flight. */
export type PreparedChange = PreparedMessage & {
  revises: Revised;
  /** What the channel shows, where that is to stay. */
  standing?: Standing;
  /** Set once its row says `posting`: where the message is, and whether the slot of the call is taken. */
  begunIn?: Place & { hasSlot: boolean };
  /** Reads the content once it is the change's turn, where others may change it until then. */
  contentNow?: () => Promise<ShownContent>;
};

/** What a change makes of a message, for the platform. */
export interface ShownContent {
  blocks: readonly Readonly<Record<string, unknown>>[];
  text: string;
  metadata?: Record<string, unknown> | undefined;
}

/** Where a message is. */
export interface Place {
  channel: string;
  messageTs: string;
}

/** A message as its channel shows it, and as which revision. */
export interface Standing extends Place {
  unchanged: number;
}

type SendCall = Call<typeof sendTemplate>;
type BulkCall = Call<typeof sendBulk>;
type VersionTestCall = Call<typeof testSendVersion>;
type BlocksTestCall = Call<typeof testSendBlocks>;

/** The compilation that a request asks for. */
export const compilationOf = (
  { data, strict, locale, timezone }: Omit<Compilation, 'template_id'>,
  template_id: string,
): Compilation => ({
  template_id,
  data,
  strict,
  locale,
  timezone,
});

const lookupOf = (
  { rpc }: Pick<ServiceContext<unknown>, 'rpc'>,
  { context, tenant }: Pick<SendCall, 'context' | 'tenant'>,
): TemplateLookup => ({ rpc, context, tenant });

/** What the order of any request says. */
export const factsOf = (
  { clock }: Pick<ServiceContext<unknown>, 'clock'>,
  call: Pick<SendCall, 'tenant' | 'context' | 'principal' | 'log'>,
) => ({
  tenant: call.tenant,
  context: call.context,
  actorId: call.principal.actor.id,
  originId: null,
  deadline: Deadline.forCaller(clock, call.context.deadline),
  log: call.log,
});

type Addressing = Partial<InputOf<typeof sendTemplate>['body']>;

/** Where a request wants a message, and what it is there. */
export const addressOf = async (
  dependencies: Pick<ServiceContext<unknown>, 'database'>,
  tenant: Tenant,
  given: Addressing,
): Promise<Addressed> => {
  const { message_key: key, on_existing: onExisting = 'update', visible_to: visibleTo } = given;
  return {
    recipient: recipientOf(given),
    threadTs:
      given.reply_to === undefined
        ? (given.thread_ts ?? null)
        : await threadOf(dependencies, tenant, given, given.reply_to),
    visibleTo,
    ...(key !== undefined && { keyed: { key, onExisting } }),
  };
};

/** The options of a post that are given. */
export const optionsOf = ({ reply_broadcast, unfurl_links, unfurl_media }: PostOptions): PostOptions => ({
  ...(reply_broadcast !== undefined && { reply_broadcast }),
  ...(unfurl_links !== undefined && { unfurl_links }),
  ...(unfurl_media !== undefined && { unfurl_media }),
});

/** The message of a send request. */
export const orderOf = async (
  dependencies: Pick<ServiceContext<unknown>, 'clock' | 'rpc' | 'database'>,
  call: SendCall,
): Promise<MessageOrder> => {
  const { body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, await namedTemplateId(lookupOf(dependencies, call), body)),
    ...(await addressOf(dependencies, call.tenant, body)),
    options: optionsOf(body),
  };
};

/** The message of a test of a version. */
export const versionTestOf = (
  dependencies: Pick<ServiceContext<unknown>, 'clock'>,
  call: VersionTestCall,
): MessageOrder => {
  const { params, body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, params.id),
    test: { version_id: params.version_id },
    recipient: recipientOf(body),
    threadTs: null,
  };
};

/** The message of a test of blocks, which may belong to a template. */
export const blocksTestOf = async (
  dependencies: Pick<ServiceContext<unknown>, 'clock' | 'rpc'>,
  call: BlocksTestCall,
): Promise<MessageOrder> => {
  const { body } = call.input;
  const isNamed = body.template_id !== undefined || body.template_key !== undefined;
  const templateId = isNamed ? await namedTemplateId(lookupOf(dependencies, call), body) : noId;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, templateId),
    test: { blocks: body.blocks },
    recipient: recipientOf(body),
    threadTs: null,
  };
};

/** The messages of a bulk send request. */
export const bulkOrderOf = async (
  dependencies: Pick<ServiceContext<unknown>, 'clock' | 'rpc' | 'database'>,
  call: BulkCall,
): Promise<BulkOrder> => {
  const { body } = call.input;
  const address = (given: Addressing) => addressOf(dependencies, call.tenant, given);
  return {
    ...factsOf(dependencies, call),
    origin: 'bulk',
    compilation: compilationOf(body, await namedTemplateId(lookupOf(dependencies, call), body)),
    recipients: await Promise.all(body.destinations.map(address)),
    options: optionsOf(body),
  };
};

const metadataSchema = z.looseObject({ event_payload: z.record(z.string(), z.unknown()) });

/** The payload of a message's metadata as compile makes it; empty for a message without actions. */
export const payloadIn = (metadata: unknown): Record<string, unknown> =>
  metadata === undefined ? {} : metadataSchema.parse(metadata).event_payload;
