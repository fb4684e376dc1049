import { listTemplateCallers as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { callersOfTemplate } from '../store/template-callers.ts';

/** Counts what compiled or sent a template, by caller. */
export const listTemplateCallers = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, template_id, since } }) => {
    const callers = await callersOfTemplate(database, organization_id, template_id, new Date(since));
    return { callers: callers.map((it) => ({ ...it, last_at: it.last_at.toISOString() })) };
  });
