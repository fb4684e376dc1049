import type { Destination } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Pair } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { changeOf, type Edited, losesHeaders } from './destination-change.ts';

const methods = ['POST', 'PUT', 'PATCH'] as const;

/** An address as people write it begins with its host. */
const withScheme = (url: string): string => (url === '' || /^\w+:/.test(url) ? url : `https://${url}`);

const blank: Edited = { name: '', url: '', method: 'POST', retry_enabled: true };

/** Asks for a destination, a new one or one that is changed; what is seldom set has the defaults of the API. */
export const DestinationForm = ({
  destination,
  onClose,
  onCreated,
}: {
  destination?: Destination;
  onClose: () => void;
  /** Is told the id of a new one. */
  onCreated?: (id: string) => void;
}) => {
  const [given, give] = useState<Edited>(destination ?? blank);
  const [token, setToken] = useState('');
  const creating = useChange(api.createDestination, ({ id }) => {
    onCreated?.(id);
    onClose();
  });
  const updating = useChange(api.updateDestination, onClose);
  const change = (to: Partial<Edited>): void => give({ ...given, ...to });
  const { name, method, retry_enabled } = given;
  const url = withScheme(given.url);
  const body = {
    ...(destination ? changeOf(destination, { ...given, url }) : { name, url, method, retry_enabled }),
    ...(token !== '' && { auth_type: 'bearer' as const, headers: { Authorization: `Bearer ${token}` } }),
  };
  const submit = (): void =>
    destination ? updating.mutate({ params: { id: destination.id }, body }) : creating.mutate({ body });
  const loses = destination !== undefined && losesHeaders(destination, url);
  const keeps = destination !== undefined && Object.keys(destination.headers).length > 0 && !loses;
  return (
    <FormDialog
      title={destination ? `Edit ${destination.name}` : 'New destination'}
      onClose={onClose}
      mutation={destination ? updating : creating}
      submit={destination ? 'Save changes' : 'Create destination'}
      disabled={Object.keys(body).length === 0}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        value={name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Pair>
        <TextField
          label="Address"
          inputMode="url"
          required
          placeholder="https://tickets.example.com/hooks"
          hint={
            loses
              ? 'Another host: the headers of the destination, with its credentials, are cleared.'
              : destination && 'Deliveries that wait go to it too.'
          }
          value={given.url}
          onChange={({ target }) => change({ url: target.value })}
        />
        <SelectField
          label="Method"
          value={method}
          options={methods}
          hint="POST, unless your system asks for another"
          onChange={({ target }) => change({ method: methods.find((it) => it === target.value) ?? 'POST' })}
        />
      </Pair>
      <TextField
        label="Bearer token"
        type="password"
        autoComplete="off"
        hint={
          keeps
            ? 'A new one takes the place of all headers. Left out, they stay as they are.'
            : 'A password that your system asks programs for. Sent as Authorization, stored encrypted, never shown again. May be left out.'
        }
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      <CheckField
        label="Try again when a delivery fails"
        hint="Your system may then see one delivery twice; it has the same webhook-id."
        checked={retry_enabled}
        onChange={({ target }) => change({ retry_enabled: target.checked })}
      />
    </FormDialog>
  );
};
