import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Pair } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const methods = ['POST', 'PUT', 'PATCH'] as const;

/** Asks for the address of a new destination; what is seldom changed has the defaults of the API. */
export const NewDestination = ({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  /** Is told the id. */
  onCreated?: (id: string) => void;
}) => {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('https://');
  const [method, setMethod] = useState<(typeof methods)[number]>('POST');
  const [token, setToken] = useState('');
  const [retries, setRetries] = useState(true);
  const creating = useChange(api.createDestination, ({ id }) => {
    onCreated?.(id);
    onClose();
  });
  const create = (): void =>
    creating.mutate({
      body: {
        name,
        url,
        method,
        retry_enabled: retries,
        ...(token !== '' && { auth_type: 'bearer', headers: { Authorization: `Bearer ${token}` } }),
      },
    });
  return (
    <FormDialog
      title="New destination"
      onClose={onClose}
      asked={creating}
      submit="Create destination"
      onSubmit={create}
    >
      <TextField label="Name" required value={name} onChange={({ target }) => setName(target.value)} />
      <Pair>
        <TextField
          label="Address"
          type="url"
          required
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <SelectField
          label="Method"
          value={method}
          options={methods}
          onChange={({ target }) => setMethod(methods.find((it) => it === target.value) ?? 'POST')}
        />
      </Pair>
      <TextField
        label="Bearer token"
        type="password"
        autoComplete="off"
        hint="Sent as Authorization. Stored encrypted, never shown again. May be left out."
        value={token}
        onChange={({ target }) => setToken(target.value)}
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
