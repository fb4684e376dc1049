import type { Interaction } from '@stanza/contracts';
import { z } from 'zod';
import type { InteractionActionRow, InteractionRow } from './interaction-tables.ts';

/** An interaction with its actions, in order. */
export interface LoggedInteraction {
  row: InteractionRow;
  actions: InteractionActionRow[];
}

type PresentedAction = Interaction['actions'][number];

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** An id as the template writes it; one that data gives when the element is used, or that is none, is left out. */
const id = (value: unknown): string | undefined => z.guid().safeParse(value).data;

const namesOf = ({ type, action }: InteractionActionRow): Partial<PresentedAction> => {
  if (type === 'call_destination') return { destination_id: id(action.destination_id) };
  if (type === 'update_message') return { strategy: text(action.strategy) };
  return { modal_id: id(action.modal_id), step: typeof action.step === 'number' ? action.step : 0 };
};

const presentAction = (row: InteractionActionRow): PresentedAction => ({
  type: row.type,
  status: row.status,
  ...namesOf(row),
  ...(row.delivery_id !== null && { delivery_id: row.delivery_id }),
  ...(row.error !== null && { error: row.error }),
  ...(row.error_details !== null && { error_details: row.error_details }),
  ...(row.ended_at !== null && { ended_at: row.ended_at.toISOString() }),
});

const statusOf = (actions: readonly InteractionActionRow[]): Interaction['status'] => {
  if (actions.some(({ status }) => status === 'waiting')) return 'open';
  return actions.every(({ status }) => status === 'done') ? 'done' : 'failed';
};

/** An interaction as the API shows it. Fields without a value are omitted. */
export const presentInteraction = ({ row, actions }: LoggedInteraction): Interaction => ({
  id: row.id,
  kind: row.kind,
  status: statusOf(actions),
  user_id: row.user_id,
  ...(row.user_name !== null && { user_name: row.user_name }),
  message_id: row.message_id,
  template_id: row.template_id,
  channel: row.channel,
  message_ts: row.message_ts,
  ...(row.action_id !== null && { action_id: row.action_id }),
  ...(row.action_type !== null && { action_type: row.action_type }),
  ...(row.value !== null && { value: row.value }),
  ...(row.opened_by !== null && { opened_by: row.opened_by }),
  form: row.form,
  actions: actions.map(presentAction),
  request_id: row.request_id,
  created_at: row.created_at.toISOString(),
});
