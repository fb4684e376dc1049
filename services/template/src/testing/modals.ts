import type { createModal as creating, InputOf, Principal } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import { createModal } from '../operations/create-modal.ts';
import { ask, type World } from './world.ts';

/** A view with a text input that reads one value. */
export const askWhy = [
  {
    type: 'input',
    id: 'why',
    label: { type: 'plain_text', text: 'Why, {{name}}?' },
    element: { type: 'plain_text_input', action_id: 'reason' },
  },
];

/** The request body of create-modal, with the API's defaults. */
export const modalBody: InputOf<typeof creating>['body'] = {
  name: 'Refund',
  title: 'Refund',
  blocks: askWhy,
  submit_label: 'Submit',
  close_label: 'Cancel',
  sample_data: {},
  activate: false,
};

/** Creates a modal with one version, a draft. */
export const newModal = (
  world: World,
  principal: Principal,
  body: Partial<typeof modalBody> = {},
  context?: CallContext,
) => ask(createModal(world), { body: { ...modalBody, ...body } }, principal, context);
