import { useState } from 'react';
import { NewKey, useNewKey } from '../../editor/making/new-key.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { blank, useNewTemplate } from './use-new-template.ts';

/** Asks for the name of a new template first, of which its key is made. */
export const NameBlank = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const key = useNewKey(name);
  const creating = useNewTemplate();
  return (
    <FormDialog
      title="New blank template"
      onClose={onClose}
      mutation={creating}
      submit="Create template"
      onSubmit={() => creating.mutate({ body: { ...blank, name: name.trim(), ...key.body } })}
    >
      <TextField
        label="Name"
        data-begins
        required
        pattern=".*\S.*"
        maxLength={200}
        placeholder="What it tells, as in “Deploy alert”"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <NewKey of={key} />
    </FormDialog>
  );
};
