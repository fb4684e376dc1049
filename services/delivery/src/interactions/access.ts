import { CodedError } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';
import type { ChatAccess } from '../chat/platform.ts';
import { openAccess } from '../connections/chat-access.ts';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * The access to the workspace of an interaction.
 * @throws CodedError `chat_not_connected` when the environment has another workspace by now, or none
 */
export const accessTo = async (
  dependencies: Dependencies,
  tenant: Tenant,
  workspaceId: string,
): Promise<ChatAccess> => {
  const access = openAccess(
    tenant,
    await findConnection(tenant, dependencies.database),
    dependencies.keyring,
  );
  if (access.workspaceId === workspaceId) return access;
  throw new CodedError('chat_not_connected', {
    message: 'The message was posted in another workspace than the one now connected.',
  });
};
