import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange } from '../../api/use-api.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { clipped } from '../../ui/words.ts';

/** The platform shows no longer titles. */
const longestTitle = 24;

/** What a view begins with. */
export const firstQuestion = {
  type: 'input',
  label: { type: 'plain_text', text: 'What should we know?' },
  element: { type: 'plain_text_input', multiline: true },
};

const asking = (text: string) => ({ ...firstQuestion, label: { ...firstQuestion.label, text } });

/** Begins a modal with one question: leads to its editor, or makes it live where the caller goes on with it. */
export const NewModal = ({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  /** Is told the id. */
  onCreated?: (id: string) => void;
}) => {
  const { place } = useActing();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [question, setQuestion] = useState(firstQuestion.label.text);
  const write = (id: string): void =>
    void navigate({
      to: '/$organization/$environment/$screen/$item',
      params: { ...place, screen: 'modals', item: id },
      search: { write: 'yes' },
    });
  const activating = useChange(api.activateModalVersion);
  const creating = useChange(api.createModal, ({ id, version }) => {
    if (onCreated === undefined) write(id);
    // Where the policy asks for somebody else it stays a draft, and what names it says so.
    else activating.mutate({ params: { id, version_id: version.id } }, { onSettled: () => onCreated(id) });
  });
  return (
    <FormDialog
      title="New modal"
      onClose={onClose}
      mutation={{ isPending: creating.isPending || activating.isPending, error: creating.error }}
      submit="Create modal"
      onSubmit={() =>
        creating.mutate({ body: { name, title: clipped(name, longestTitle), blocks: [asking(question)] } })
      }
    >
      <TextField
        label="Name"
        hint="The first 24 letters are its title in the chat. You can change both."
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Question"
        hint="People answer it with a text. Other questions and kinds of answers are added afterwards."
        required
        maxLength={2000}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
      />
      {onCreated && <p>It is live at once, unless the policy of the organization asks for another person.</p>}
    </FormDialog>
  );
};
