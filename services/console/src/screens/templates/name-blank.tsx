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
        hint="The key by which programs send it is made of the name. Both can be changed until it is live."
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
};
