import type { createTemplate, ReplyOf } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange } from '../../api/use-api.ts';
import { DoneDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { clipped } from '../../ui/words.ts';
import { NewKey, useNewKey } from './new-key.tsx';

const text = (words: string) => ({ type: 'section', text: { type: 'mrkdwn', text: words } });

/** A title cannot be a placeholder by chance. */
const asText = (words: string): string => words.replaceAll('{{', '\\{{');

/** How many events are there, and what each of them says. */
const blocksOf = (title: string) => [
  { type: 'header', text: { type: 'plain_text', text: `${clipped(asText(title), 130)}: {{event_count}}` } },
  {
    type: 'directive',
    directive: '#each',
    path: 'events',
    as: 'event',
    max_items: 20,
    overflow_text: '…and {{remaining}} more',
    children: [text('• {{event.title}}')],
  },
];

const sample_data = { event_count: 2, events: [{ title: 'Faster totals' }, { title: 'A new receipt' }] };

/** Where the policy asks for somebody else, the template is there, and a queue can have it once it is live. */
const IsDraft = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => {
  const { place } = useActing();
  return (
    <DoneDialog title="The template is a draft" onClose={onClose}>
      <p role="status">
        The policy of the organization asks for another person to make it live.{' '}
        <Link
          to="/$organization/$environment/templates/$template"
          params={{ ...place, template: id }}
          target="_blank"
        >
          Open {name}
        </Link>{' '}
        and propose it. The queue can have it once it is accepted.
      </p>
    </DoneDialog>
  );
};

/** Begins a template that lists events, and makes it live, so that a queue can send it at once. */
export const NewDigest = ({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  /** Is told the id. */
  onCreated: (id: string) => void;
}) => {
  const [name, setName] = useState('');
  const key = useNewKey(name);
  const activating = useChange(api.activateVersion, (_, { params }) => params && onCreated(params.id));
  const makeLive = ({ id, version }: ReplyOf<typeof createTemplate>): void =>
    activating.mutate({ params: { id, version_id: version.id }, body: {} });
  const creating = useChange(api.createTemplate, makeLive);
  const { error } = activating;
  const submit = (): void => {
    const title = name.trim();
    // Where only the second step has failed, the template is there, and is not made once more.
    if (creating.data?.name === title) makeLive(creating.data);
    else creating.mutate({ body: { name: title, ...key.body, blocks: blocksOf(title), sample_data } });
  };
  if (creating.data && error instanceof ApiError && error.code === 'activation_refused')
    return <IsDraft id={creating.data.id} name={creating.data.name} onClose={onClose} />;
  return (
    <FormDialog
      title="New digest template"
      onClose={onClose}
      mutation={{
        isPending: creating.isPending || activating.isPending,
        error: creating.error ?? error,
      }}
      submit="Create and make live"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        pattern=".*\S.*"
        maxLength={200}
        placeholder="What it tells, as in “News of the day”"
        hint="It lists the title of each event. You can change it like any template, also what it reads of an event."
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <NewKey of={key} />
    </FormDialog>
  );
};
