import { CodedError, type ReplyOf, renderTemplate } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { openAccess } from '../chat/access.ts';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import type { BulkOrder, Compilation, MessageOrder, PreparedMessage } from './message.ts';

/** Compiles the template. Nothing is charged or written. */
const render = async (
  dependencies: Dependencies,
  tenant: Tenant,
  context: CallContext,
  compilation: Compilation,
): Promise<ReplyOf<typeof renderTemplate>> => {
  const whose = { organization_id: tenant.organizationId, environment: tenant.environment };
  const rendered = await dependencies.rpc.call(renderTemplate, { ...whose, ...compilation }, context);
  if (rendered.blocks.length === 0) throw new CodedError('no_blocks_to_send');
  return rendered;
};

/** What the messages of one operation share once it is compiled. */
type Ready = Pick<PreparedMessage, 'rendered' | 'access'>;

const makeReady = async (
  dependencies: Dependencies,
  { tenant, context, compilation }: Pick<MessageOrder, 'tenant' | 'context' | 'compilation'>,
): Promise<Ready> => {
  const [rendered, connection] = await Promise.all([
    render(dependencies, tenant, context, compilation),
    findConnection(tenant, dependencies.database),
  ]);
  return { rendered, access: openAccess(tenant, connection, dependencies.keyring) };
};

const messageOf = (order: MessageOrder, ready: Ready, item: number): PreparedMessage => ({
  ...order,
  ...ready,
  id: uuidv7(),
  item,
  fence: 0,
  creditLogId: uuidv7(),
  journal: [],
});

/**
 * Makes a message ready: compiled, and with the access to its workspace.
 * @throws CodedError when the template or the connection is no good; there is nothing to undo
 */
export const prepare = async (dependencies: Dependencies, order: MessageOrder): Promise<PreparedMessage> =>
  messageOf(order, await makeReady(dependencies, order), 0);

/** Makes a message ready for each of several recipients; what they are to read is compiled once. */
export const prepareEach = async (
  dependencies: Dependencies,
  { recipients, ...order }: BulkOrder,
): Promise<{ rendered: PreparedMessage['rendered']; messages: PreparedMessage[] }> => {
  const ready = await makeReady(dependencies, order);
  const messages = recipients.map((recipient, item) => messageOf({ ...order, recipient }, ready, item));
  return { rendered: ready.rendered, messages };
};
