import { notFound, setAgentSends as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentTemplate } from '../domain/present-template.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { templateKeys } from '../store/keys.ts';
import { changeTemplate, lockTemplate } from '../store/templates.ts';

/** Switches whether agents get a tool that sends a template; asked for again, it changes nothing. */
export const setAgentSends = ({
  database,
  outbox,
  rpc,
  clock,
}: Pick<Dependencies, 'database' | 'outbox' | 'rpc' | 'clock'>) =>
  handle(operation, ({ input: { params, body }, context, principal, tenant }) =>
    database.transaction(async (tx) => {
      const locked = await lockTemplate(tenant, tx, params.id);
      if (!locked) throw notFound('template');
      const template = await templateKeys.withKey(tenant, tx, locked);
      const { agent_sends: before } = template;
      const { enabled: agent_sends } = body;
      if (agent_sends === before) return presentTemplate(template);
      // What agents send is seen by readers, as what is made live is.
      if (agent_sends) {
        (await activationRightsOf(rpc, context, principal, 'connections:write', 'settings')()).needPerson();
      }
      const updated_at = clock.now();
      await changeTemplate(tenant, tx, template.id, { agent_sends, updated_at });
      await audit(tx, outbox, context, {
        action: 'template.updated',
        subject: { kind: 'template', id: template.id },
        changes: { agent_sends: { from: before, to: agent_sends } },
        at: updated_at,
      });
      return presentTemplate({ ...template, agent_sends, updated_at });
    }),
  );
