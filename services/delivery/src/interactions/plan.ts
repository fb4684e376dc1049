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

/** An action as in the message. */
export const actionSchema = z.discriminatedUnion('type', [openModal, callDestination, updateMessage]);

/** See {@link actionSchema}. */
export type MessageAction = z.output<typeof actionSchema>;

/** An action that shows a modal. */
export type OpenModal = z.output<typeof openModal>;

/** The actions to run now, and those that wait for a modal's submission. */
export interface Plan {
  /** Run in order, in the background. */
  now: MessageAction[];
  /** Opened inside the request. */
  opening: OpenModal | null;
  rest: MessageAction[];
}

/** Actions unknown to this version are skipped; another version made the message. */
export const readActions = (list: readonly unknown[]): MessageAction[] =>
  list.flatMap((action) => actionSchema.safeParse(action).data ?? []);

/** Splits a list of actions at its first modal: the later ones run once that is submitted. */
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
