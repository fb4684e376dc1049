import {
  CodedError,
  describeActor,
  type Principal,
  type TestTarget,
  type TestTargetList,
} from '@stanza/contracts';
import { type Recipient, recipientOf } from '../chat/recipients.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PreparedMessage } from './message.ts';
import { findTestTargets } from './store/test-targets.ts';
import type { TestTargetsRow } from './test-target-tables.ts';

/** The list as the API shows it. */
export const presentTestTargets = (row: TestTargetsRow | undefined): TestTargetList => ({
  targets: row?.targets ?? [],
  updated_by: row?.updated_by ?? null,
  updated_at: row?.updated_at.toISOString() ?? null,
});

/** The stored form: the one way to name the target that was given, and its description. */
export const storedTarget = ({ description, ...forms }: TestTarget): TestTarget => ({
  ...recipientOf(forms),
  ...(description !== undefined && { description }),
});

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const isSame = (recipient: Recipient, target: TestTarget): boolean => {
  const other = recipientOf(target);
  if ('channel_id' in recipient) return 'channel_id' in other && recipient.channel_id === other.channel_id;
  if ('recipient_chat_id' in recipient) {
    return 'recipient_chat_id' in other && recipient.recipient_chat_id === other.recipient_chat_id;
  }
  return 'recipient_email' in other && sameAddress(recipient.recipient_email, other.recipient_email);
};

/** The address of the person behind the caller; null for a caller without one. */
const ownAddress = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { tenant, context }: Pick<PreparedMessage, 'tenant' | 'context'>,
  { actor }: Principal,
): Promise<string | null> => {
  const { organizationId: organization_id, environment } = tenant;
  const asked = { organization_id, environment, actor, scope: 'messages:create' as const };
  return (await rpc.call(describeActor, asked, context)).user_email ?? null;
};

/** A person is themselves by the address of their account, and by the chat user whom the workspace has for it. */
const isCaller = async (
  dependencies: Pick<Dependencies, 'rpc' | 'recipients'>,
  message: PreparedMessage,
  principal: Principal,
): Promise<boolean> => {
  const { recipient, access, deadline, log, journal, id: messageId } = message;
  if ('channel_id' in recipient) return false;
  const address = await ownAddress(dependencies, message, principal);
  if (address === null) return false;
  if ('recipient_email' in recipient) return sameAddress(recipient.recipient_email, address);
  const asker = { deadline, log, journal, messageId };
  const user = await dependencies.recipients.userOf(access, address, asker).catch(unknownToWorkspace);
  return user === recipient.recipient_chat_id;
};

const unknownToWorkspace = (error: unknown): undefined => {
  if (error instanceof CodedError && error.code === 'chat_user_not_found') return undefined;
  throw error;
};

/**
 * Checks that a test goes to its caller or to a listed target.
 * @throws CodedError `access_denied` for any other recipient; nothing was posted
 */
export const checkTestTarget = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc' | 'recipients'>,
  message: PreparedMessage,
  principal: Principal,
): Promise<void> => {
  const listed = await findTestTargets(message.tenant, dependencies.database);
  if (listed?.targets.some((target) => isSame(message.recipient, target))) return;
  if (await isCaller(dependencies, message, principal)) return;
  throw new CodedError('access_denied', {
    message:
      'A test goes to yourself or to a listed target. An admin lists targets with PUT /v1/chat-connection/test-targets. Nothing was posted.',
    required_scopes: [],
    user_scopes: [...principal.scopes],
    nothing_done: true,
  });
};

/**
 * Requires the scope to read templates, whose content a test shows.
 * @throws CodedError `insufficient_scope`
 */
export const checkReading = ({ scopes }: Principal): void => {
  if (scopes.includes('templates:read')) return;
  throw new CodedError('insufficient_scope', {
    message:
      'A test shows the content of a template and requires the scope templates:read besides messages:create.',
    required_scopes: ['templates:read'],
    user_scopes: [...scopes],
    nothing_done: true,
  });
};
