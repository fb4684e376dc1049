import { z } from 'zod';

const openModal = z.looseObject({
  type: z.literal('open_modal'),
  modal_id: z.string(),
  data: z.unknown().optional(),
  step: z.int().min(0).default(0),
});
const callDestination = z.looseObject({
  type: z.literal('call_destination'),
  destination_id: z.string(),
  payload: z.unknown().optional(),
});
const updateMessage = z.looseObject({
  type: z.literal('update_message'),
  strategy: z.enum(['replace_all', 'replace_self', 'append', 'replace_block']),
  block_id: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })),
});

/** An action as the message says it. */
export const actionSchema = z.discriminatedUnion('type', [openModal, callDestination, updateMessage]);

/** See {@link actionSchema}. */
export type MessageAction = z.output<typeof actionSchema>;

/** An action that shows a modal. */
export type OpenModal = z.output<typeof openModal>;

/** What an interaction does now, and what waits for its modal to be submitted. */
export interface Plan {
  /** Run one after the other, beside the request. */
  now: MessageAction[];
  /** Shown inside the request. */
  opening: OpenModal | null;
  rest: MessageAction[];
}

/** Actions that this version does not know are left out; the message was made by another one. */
export const readActions = (list: readonly unknown[]): MessageAction[] =>
  list.flatMap((action) => actionSchema.safeParse(action).data ?? []);

/** Divides a list of actions at its first modal: what stands behind it is done once that is submitted. */
export const planOf = (list: readonly unknown[]): Plan => {
  const actions = readActions(list);
  const at = actions.findIndex(({ type }) => type === 'open_modal');
  if (at === -1) return { now: actions, opening: null, rest: [] };
  const opening = actions[at];
  return {
    now: actions.slice(0, at),
    opening: opening?.type === 'open_modal' ? opening : null,
    rest: actions.slice(at + 1),
  };
};
