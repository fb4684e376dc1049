import { type ComponentType, useId, useState } from 'react';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useDestinations, useModals } from '../../shell/whole-lists.ts';
import { isWhole } from '../evaluation/named-things.ts';
import { DestinationForm } from '../making/destination-form.tsx';
import { NewModal } from '../making/new-modal.tsx';
import styles from './inspector.module.css';
import type { FieldProps } from './simple-inputs.tsx';
import { TextInput } from './text-input.tsx';

/** A thing that an interaction can name. */
interface Named {
  readonly id: string;
  readonly name: string;
  /** Why naming it does nothing yet. */
  readonly lacks?: string | undefined;
}

/** Choices that are no id. */
const isNew = 'new';
const isFromData = 'data';

/** Chooses what an interaction names by its name; the id is written. A placeholder takes it from the data. */
const ReferenceInput = ({
  kind,
  screen,
  found,
  isWhole: hasAll,
  mayMake,
  Maker,
  ...field
}: FieldProps & {
  kind: 'modal' | 'destination';
  screen: 'modals' | 'destinations';
  /** Undefined until it is read. */
  found: readonly Named[] | undefined;
  /** Whether those are all; one that is not among those that were read may exist. */
  isWhole: boolean;
  mayMake: boolean;
  Maker: ComponentType<{ onClose: () => void; onCreated: (id: string) => void }>;
}) => {
  const { value, pointer, onChange } = field;
  const id = useId();
  const [isMaking, make] = useState(false);
  const text = typeof value === 'string' ? value : '';
  const fromData = text.includes('{{');
  const chosen = found?.find((one) => one.id === text);
  const isUnknown = hasAll && text !== '' && !fromData && chosen === undefined;
  const choose = (choice: string): void => {
    if (choice === isNew) make(true);
    else onChange(choice === isFromData ? `{{${kind}}}` : choice, pointer);
  };
  const about = isUnknown
    ? `There is no such ${kind} in this environment, so the button would do nothing. It cannot be saved like this.`
    : chosen?.lacks;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{kind === 'modal' ? 'Modal' : 'Destination'}</label>
      <select
        id={id}
        value={fromData ? isFromData : text}
        required
        aria-invalid={isUnknown || undefined}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">Choose a {kind}</option>
        {text !== '' && !fromData && chosen === undefined && (
          <option value={text}>{isUnknown ? `Unknown: ${text}` : text}</option>
        )}
        {(found ?? []).map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
        <option value={isFromData}>Taken from the data…</option>
        {mayMake && <option value={isNew}>New {kind}…</option>}
      </select>
      <p id={`${id}-about`} className={isUnknown ? styles.problem : styles.about}>
        {about}
      </p>
      {chosen && (
        <p className={styles.about}>
          <ScreenLink screen={screen} item={chosen.id}>
            Open {chosen.name}
          </ScreenLink>
        </p>
      )}
      {fromData && <TextInput {...field} label={`Where the data has the id of the ${kind}`} />}
      {isMaking && (
        <Maker
          onClose={() => make(false)}
          onCreated={(made) => {
            onChange(made, pointer);
            make(false);
          }}
        />
      )}
    </div>
  );
};

/** See {@link ReferenceInput}. Without the scope to list modals the id is written. */
export const ModalInput = (props: FieldProps) => {
  const mayRead = useMay('modals:read');
  const mayMake = useMay('modals:write');
  const { data } = useModals(mayRead);
  if (!mayRead) return <TextInput {...props} />;
  const found = data?.map(({ id, name, current_version_id }) => ({
    id,
    name,
    lacks:
      current_version_id === null ? 'No version of it is live yet: until one is, nothing opens.' : undefined,
  }));
  return (
    <ReferenceInput
      {...props}
      kind="modal"
      screen="modals"
      found={found}
      isWhole={isWhole(data)}
      mayMake={mayMake}
      Maker={NewModal}
    />
  );
};

/** See {@link ReferenceInput}. Without the scope to list destinations the id is written. */
export const DestinationInput = (props: FieldProps) => {
  const mayRead = useMay('destinations:read');
  const mayMake = useMay('destinations:write');
  const { data } = useDestinations(mayRead);
  if (!mayRead) return <TextInput {...props} />;
  const found = data?.map(({ id, name }) => ({ id, name }));
  return (
    <ReferenceInput
      {...props}
      kind="destination"
      screen="destinations"
      found={found}
      isWhole={isWhole(data)}
      mayMake={mayMake}
      Maker={DestinationForm}
    />
  );
};
