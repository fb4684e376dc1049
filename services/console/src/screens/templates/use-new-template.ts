import type { createTemplate, InputOf } from '@stanza/contracts';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange } from '../../api/use-api.ts';

/** What a template begins with. */
export type Beginning = Partial<InputOf<typeof createTemplate>['body']>;

/** A template with one block, to be written from there. */
export const blank: Beginning = {
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello *world*' } }],
};

/** Creates templates, and leads to the editor of each. */
export const useNewTemplate = () => {
  const { place } = useActing();
  const navigate = useNavigate();
  return useChange(api.createTemplate, ({ id }) => {
    void navigate({
      to: '/$organization/$environment/templates/$template',
      params: { ...place, template: id },
    });
  });
};
