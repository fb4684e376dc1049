import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { blank, useNewTemplate } from './use-new-template.ts';

/** Asks for the name of a new template first: its key is made of it. */
export const NameBlank = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const creating = useNewTemplate();
  return (
    <FormDialog
      title="New blank template"
      onClose={onClose}
      asked={creating}
      submit="Create template"
      onSubmit={() => creating.mutate({ body: { ...blank, name: name.trim() } })}
    >
      <TextField
        label="Name"
        data-begins
        required
        pattern=".*\S.*"
        maxLength={200}
        placeholder="What it tells, as in “Deploy alert”"
        hint="Programs send it by a key that is made of the name. The name can always be changed, the key until it is live."
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
};
