import { useState } from 'react';
import { NewKey, useNewKey } from '../../editor/making/new-key.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { templateIn } from './template-in.ts';
import { useNewTemplate } from './use-new-template.ts';

/** Makes a template of blocks that were written elsewhere. */
export const PasteJson = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const creating = useNewTemplate();
  const read = templateIn(text, name);
  const key = useNewKey('template' in read ? (read.template.name ?? '') : name);
  return (
    <FormDialog
      title="Paste JSON"
      wide
      onClose={onClose}
      mutation={creating}
      submit="Create template"
      disabled={'problem' in read}
      onSubmit={() => 'template' in read && creating.mutate({ body: { ...read.template, ...key.body } })}
    >
      <TextField
        label="Name"
        value={name}
        placeholder="The name in the JSON, or “Untitled template”"
        onChange={({ target }) => setName(target.value)}
      />
      <NewKey of={key} />
      <JsonField
        label="JSON"
        hint="A list of blocks, an object with blocks as a block kit builder shows it, or a whole template."
        rows={14}
        text={text}
        onText={setText}
      />
      {'problem' in read && text.trim() !== '' && <p role="status">{read.problem}</p>}
    </FormDialog>
  );
};
