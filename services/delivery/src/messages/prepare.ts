import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError, type MentionedPeople, renderTemplate, renderTest } from '@stanza/contracts';
import { InvariantError, RpcFailure, type Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { ChatAccess } from '../chat/platform.ts';
import { openAccess } from '../connections/chat-access.ts';
import type { ConnectionRow } from '../connections/connection-tables.ts';
import { findConnection } from '../connections/store/connections.ts';
import { type Deadline, minPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { withMentions } from './mentions.ts';
import {
  type Addressed,
  type BulkOrder,
  isInLanguageOfRecipient,
  isRequest,
  type MessageOrder,
  noId,
  type PreparedMessage,
  payloadIn,
  type Revised,
} from './message.ts';
import { languagesOf, type RecipientLanguage, unknownLanguage } from './recipient-language.ts';
import { changeIdFrom } from './store/revisions.ts';

type Ordered = Pick<
  MessageOrder,
  'tenant' | 'context' | 'compilation' | 'test' | 'revises' | 'keyed' | 'origin' | 'deadline' | 'log'
>;
type Rendered = PreparedMessage['rendered'];

/** Milliseconds between two tries to compile, half as many more or less: the first, and the longest. */
const againMs = { first: 40, longest: 640 } as const;
/** Milliseconds for which a message waits for a place in compile at most. */
const roomPatienceMs = 3_000;
/** Milliseconds that look-ups of mentions leave for the second compile. */
const compileRoomMs = 1_000;

/**
 * Asks until there is a place. Compile has fewer places than delivery has for posts, which take longer, so many sends that
 * begin at once find it full for a moment; to refuse them would make their caller ask again.
 */
const untilThereIsRoom = async <T>(deadline: Deadline, ask: () => Promise<T>): Promise<T> => {
  const end = deadline.before(minPostMs).within(roomPatienceMs);
  for (let delay: number = againMs.first; ; delay = Math.min(delay * 2, againMs.longest)) {
    try {
      return await ask();
    } catch (err) {
      const isFull = err instanceof RpcFailure && err.kind === 'overload';
      const wait = delay * (0.5 + Math.random());
      if (!isFull || end.remaining < wait) throw err;
      await pause(wait);
    }
  }
};

/** Compiles what a test send names; blocks are of no version. */
const renderTested = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { tenant, context, compilation, test }: Ordered,
  people: MentionedPeople | undefined,
): Promise<Rendered> => {
  const { template_id, ...options } = compilation;
  const { version, ...message } = await rpc.call(
    renderTest,
    {
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      ...(template_id !== noId && { template_id }),
      ...options,
      ...test,
      ...(people && { people }),
    },
    context,
  );
  return { ...message, version_id: version?.id ?? noId, version_number: version?.number ?? 0 };
};

const nothingToSend = ({ left_out }: PreparedMessage['rendered']): CodedError => {
  const [first] = left_out?.entries ?? [];
  if (!left_out || !first) return new CodedError('no_blocks_to_send');
  const message = `Nothing is left to send: the data does not fit the template, and ${left_out.count} of its entries were left out. The first: ${first.message}`;
  return new CodedError('no_blocks_to_send', { message });
};

/** Compiles the template, without a charge or a write. */
const render = async (
  dependencies: Dependencies,
  order: Ordered,
  people?: MentionedPeople,
): Promise<Rendered> => {
  const { tenant, context, compilation, test } = order;
  const whose = { organization_id: tenant.organizationId, environment: tenant.environment };
  const { data = {}, ...options } = compilation;
  const rendered = await untilThereIsRoom(order.deadline, () =>
    test
      ? renderTested(dependencies, order, people)
      : dependencies.rpc.call(
          renderTemplate,
          { ...whose, ...options, data, ...(people && { people }) },
          context,
        ),
  );
  if (rendered.blocks.length === 0) throw nothingToSend(rendered);
  return rendered;
};

/** Looks up whom a compiled message mentions by e-mail, and compiles it with them. */
const mentionPeople = (
  dependencies: Dependencies,
  order: Ordered,
  rendered: Rendered,
  access: ChatAccess,
): Promise<Rendered> =>
  withMentions(rendered, {
    people: dependencies.people,
    access: async () => access,
    deadline: order.deadline.before(minPostMs + compileRoomMs),
    log: order.log,
    again: (people) => render(dependencies, order, people),
  });

/** The common parts of an operation's messages after compiling. */
type Ready = Pick<PreparedMessage, 'rendered' | 'contentDigest' | 'access'>;

/** What two contents that are byte for byte the same have in common. */
const contentDigestOf = ({ blocks, text, metadata }: Rendered): string =>
  createHash('sha256')
    .update(JSON.stringify([blocks, text, payloadIn(metadata)]))
    .digest('base64url');

type Compiled = Pick<Ready, 'access'> & { compiled: Rendered };

/** Compiles for a caller that waits, while the connection is read. */
const compileNow = async (dependencies: Dependencies, order: Ordered): Promise<Compiled> => {
  const { connections, database } = dependencies;
  const { tenant, keyed } = order;
  const [compiled, connection] = await Promise.all([
    render(dependencies, order),
    // A request without a key verifies its connection when its messages begin.
    keyed ? findConnection(tenant, database) : connections.find(tenant),
  ]);
  // Whom it mentions is looked up in the workspace, and the cache may still hold the one before.
  const isCurrent = keyed !== undefined || (compiled.mentions ?? []).length === 0;
  const current = isCurrent ? connection : await connections.read(tenant);
  return { compiled, access: await accessOf(dependencies, tenant, current) };
};

/** Compiles a message that nobody waits for once it can be posted: up to a thousand events are not compiled in vain. */
const compileDeferred = async (dependencies: Dependencies, order: Ordered): Promise<Compiled> => {
  const { tenant } = order;
  const connection = await findConnection(tenant, dependencies.database);
  const access = await accessOf(dependencies, tenant, connection);
  return { compiled: await render(dependencies, order), access };
};

const makeReady = async (dependencies: Dependencies, order: Ordered): Promise<Ready> => {
  const compile = isRequest(order.origin) ? compileNow : compileDeferred;
  const { compiled, access } = await compile(dependencies, order);
  const mentionsNobody = (compiled.mentions ?? []).length === 0;
  const rendered = mentionsNobody ? compiled : await mentionPeople(dependencies, order, compiled, access);
  return { rendered, contentDigest: contentDigestOf(rendered), access };
};

/** A connection in the cache may have been replaced since: it is read again before it counts as unusable. */
const accessOf = async (
  { connections, keyring }: Dependencies,
  tenant: Tenant,
  connection: ConnectionRow | undefined,
): Promise<PreparedMessage['access']> => {
  try {
    return openAccess(tenant, connection, keyring);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return openAccess(tenant, await connections.read(tenant), keyring);
  }
};

/** Actions of elements are in the metadata, which the platform takes with no message that one person sees. */
const needsNoActions = ({ visibleTo }: MessageOrder, { rendered }: Ready): void => {
  if (visibleTo === undefined || Object.keys(payloadIn(rendered.metadata)).length === 0) return;
  throw new CodedError('invalid_state', {
    message:
      'The message has elements with actions, which the platform does not tell of messages that one person sees. Leave out visible_to, or the actions.',
  });
};

const messageOf = (order: MessageOrder, ready: Ready, item: number): PreparedMessage => {
  needsNoActions(order, ready);
  return { ...order, ...ready, ...newMessage(item) };
};

const newMessage = (item: number) => ({
  id: uuidv7(),
  // Right after its id: a charge leads to its message by the moment (`store/by-charge.ts`).
  creditLogId: uuidv7(),
  item,
  fence: 0,
  revision: 1,
  journal: [],
});

/**
 * Prepares a message: compiles it, and reads the access to its workspace.
 * @throws CodedError for an invalid template or connection; there is nothing to undo
 */
export const prepare = async (dependencies: Dependencies, order: MessageOrder): Promise<PreparedMessage> => {
  if (!isInLanguageOfRecipient(order.compilation)) {
    return messageOf(order, await makeReady(dependencies, order), 0);
  }
  const [language = unknown] = await recipientLanguages(dependencies, order, [order]);
  return messageOf(order, await makeReadyIn(dependencies, order, language), 0);
};

/** Prepares a change of a sent message, as {@link prepare} does a message. */
export const prepareChange = async <R extends Revised>(
  dependencies: Dependencies,
  order: MessageOrder & { revises: R },
): Promise<PreparedMessage & { revises: R }> => {
  const message = await prepare(dependencies, order);
  return { ...message, id: changeIdFrom(message.id), revises: order.revises };
};

/** A recipient of whom no language is known. */
const unknown: RecipientLanguage = { locale: undefined };

/** The languages of recipients, in the order of their addresses. */
const recipientLanguages = async (
  dependencies: Dependencies,
  order: Ordered,
  addresses: readonly Addressed[],
): Promise<RecipientLanguage[]> => {
  // Not from the cache, which may still hold the workspace before.
  const connection = await dependencies.connections.read(order.tenant);
  const access = openAccess(order.tenant, connection, dependencies.keyring);
  return languagesOf(dependencies.recipients, access, order, addresses);
};

const makeReadyIn = async (
  dependencies: Dependencies,
  order: Ordered,
  { locale, failure }: RecipientLanguage,
): Promise<Ready> => {
  const ready = await makeReady(dependencies, { ...order, compilation: { ...order.compilation, locale } });
  if (failure === undefined) return ready;
  const warnings = [...ready.rendered.warnings, unknownLanguage(failure)];
  return { ...ready, rendered: { ...ready.rendered, warnings } };
};

/** The common parts of the messages of each address: one for all, or one for each language. */
const readyForEach = async (
  dependencies: Dependencies,
  order: Ordered,
  addresses: readonly Addressed[],
): Promise<Ready[]> => {
  if (!isInLanguageOfRecipient(order.compilation)) {
    const ready = await makeReady(dependencies, order);
    return addresses.map(() => ready);
  }
  const languages = await recipientLanguages(dependencies, order, addresses);
  const made = new Map<string, Promise<Ready>>();
  return Promise.all(
    languages.map((language) => {
      const name = `${language.locale} ${language.failure?.code}`;
      const ready = made.get(name) ?? makeReadyIn(dependencies, order, language);
      made.set(name, ready);
      return ready;
    }),
  );
};

/** What the messages of an operation have in common, with the warnings of each language. */
const together = ([first, ...others]: readonly [Ready, ...Ready[]]): Rendered => ({
  ...first.rendered,
  warnings: [...new Set([first, ...others].flatMap(({ rendered }) => rendered.warnings))],
  fields_truncated: Math.max(...[first, ...others].map(({ rendered }) => rendered.fields_truncated)),
});

/** Prepares a message for each of several recipients; it is compiled once, or once for each of their languages. */
export const prepareEach = async (
  dependencies: Dependencies,
  { recipients, ...order }: BulkOrder,
): Promise<{ rendered: PreparedMessage['rendered']; messages: PreparedMessage[] }> => {
  const keyed = recipients.find((it) => it.keyed)?.keyed;
  const [first, ...others] = await readyForEach(dependencies, { ...order, keyed }, recipients);
  if (first === undefined) throw new InvariantError('a bulk send has no destination');
  const ready = [first, ...others] as const;
  const messages = recipients.map((address, item) =>
    messageOf({ ...order, ...address }, ready[item] ?? first, item),
  );
  return { rendered: together(ready), messages };
};
