import type { TemplateVersion } from '@stanza/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useActing } from '../../shell/session-context.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { Data } from '../data/data-values.ts';
import { changedMetadata, type TemplateDocument } from '../document/document.ts';
import { type Loaded, templateCalls, useRefresh } from './api.ts';

/** Saves what is on the screen as a new version, with a note. The data of the form becomes its sample data. */
export const SaveVersion = ({
  loaded: { template, versions },
  document,
  data,
  onSaved,
  onClose,
}: {
  loaded: Loaded;
  document: TemplateDocument;
  data: Data;
  onSaved: (version: TemplateVersion) => void;
  onClose: () => void;
}) => {
  const { place } = useActing();
  const refresh = useRefresh();
  const [note, setNote] = useState('');
  const save = useMutation({
    mutationFn: async () => {
      const calls = templateCalls(place, template.id);
      const metadata = changedMetadata(document, template);
      const version = await calls.appendVersion({
        blocks: document.blocks,
        ...(Object.keys(data).length > 0 && { sample_data: data }),
        ...(note.trim() !== '' && { note: note.trim() }),
      });
      if (Object.keys(metadata).length > 0) await calls.update(metadata);
      return version;
    },
    onSuccess: async (version) => {
      onSaved(version);
      await refresh();
      onClose();
    },
  });
  const next = (versions[0]?.version_number ?? 0) + 1;
  return (
    <FormDialog
      title={`Save version ${next}`}
      onClose={onClose}
      asked={save}
      submit="Save"
      onSubmit={() => save.mutate()}
    >
      <p>A version is kept for good. It is not live until you make it live.</p>
      <TextField
        label="Note"
        value={note}
        maxLength={500}
        placeholder="What is new, as in “shorter header”"
        onChange={({ target }) => setNote(target.value)}
      />
    </FormDialog>
  );
};
