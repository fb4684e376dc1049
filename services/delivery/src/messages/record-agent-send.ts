import { agentOf } from '@stanza/contracts';
import { audit } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { PreparedMessage } from './message.ts';

/**
 * Records in the audit log that an agent asks for a message, before it is accepted: what an agent has posted is never
 * without its line. Messages of other callers are in the message log alone.
 */
export const recordAgentSend = async (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  { id, context, compilation, rendered, test }: PreparedMessage,
): Promise<void> => {
  const agent = agentOf(context.client?.user_agent ?? null);
  if (agent === null) return;
  await database.transaction((tx) =>
    audit(tx, outbox, context, {
      action: 'message.requested',
      subject: { kind: 'message', id },
      changes: {
        template_id: compilation.template_id,
        version_id: rendered.version_id,
        test: test !== undefined,
        source: 'mcp',
        agent: agent.name,
      },
      at: clock.now(),
    }),
  );
};
