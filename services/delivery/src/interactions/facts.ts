import type { InteractionPayload } from '@stanza/contracts';
import type { InteractionRow } from './interaction-tables.ts';

/** The facts of an interaction, which templates read under `interaction`. */
export const factsOf = (row: InteractionRow): InteractionPayload => ({
  id: row.id,
  kind: row.kind,
  user: { id: row.user_id, ...(row.user_name !== null && { name: row.user_name }) },
  workspace: { id: row.workspace_id },
  message: { id: row.message_id, channel: row.channel, ts: row.message_ts },
  action: { id: row.action_id, type: row.action_type, value: row.value },
  form: row.form,
});
