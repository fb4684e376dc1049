import type { Destination } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { changeOf, losesHeaders } from './destination-change.ts';

/** Changes the name, the address and the retries of a destination. */
export const EditDestination = ({
  destination,
  onClose,
}: {
  destination: Destination;
  onClose: () => void;
}) => {
  const [name, setName] = useState(destination.name);
  const [url, setUrl] = useState(destination.url);
  const [retries, setRetries] = useState(destination.retry_enabled);
  const updating = useChange(api.updateDestination, onClose);
  const body = changeOf(destination, { name, url, retry_enabled: retries });
  return (
    <FormDialog
      title={`Edit ${destination.name}`}
      onClose={onClose}
      asked={updating}
      submit="Save changes"
      disabled={Object.keys(body).length === 0}
      onSubmit={() => updating.mutate({ params: { id: destination.id }, body })}
    >
      <TextField label="Name" required value={name} onChange={({ target }) => setName(target.value)} />
      <TextField
        label="Address"
        type="url"
        required
        hint={
          losesHeaders(destination, url)
            ? 'Another host: the headers of the destination, with its credentials, are cleared.'
            : 'Deliveries that wait go to it too.'
        }
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <CheckField
        label="Try again when a delivery fails"
        hint="Your system may then see one delivery twice; it has the same webhook-id."
        checked={retries}
        onChange={({ target }) => setRetries(target.checked)}
      />
    </FormDialog>
  );
};
