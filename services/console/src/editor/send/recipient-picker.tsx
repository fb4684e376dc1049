import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { useInSight } from '../../ui/use-in-sight.ts';
import {
  type Kind,
  kindOf,
  kinds,
  noteOfChannel,
  type Recipient,
  recipientOfChannel,
  recipientOfPerson,
  recipientTyped,
} from './recipients.ts';
import styles from './send.module.css';

const shown = 20;

/** What the workspace has by this text. */
const useFound = (kind: Kind, q: string, isSearched: boolean) => {
  const query = { q, limit: shown };
  const channels = useRead(api.listChannels, { query }, { enabled: isSearched && kind === 'channel' });
  const people = useRead(api.listPeople, { query }, { enabled: isSearched && kind === 'person' });
  const suggestions = kind === 'channel' ? channels : people;
  const found: Recipient[] =
    kind === 'channel'
      ? (channels.data?.data ?? []).map(recipientOfChannel)
      : (people.data?.data ?? []).map(recipientOfPerson);
  const notes =
    kind === 'channel'
      ? (channels.data?.data ?? []).map(noteOfChannel)
      : (people.data?.data ?? []).map(({ email }) => email ?? '');
  return {
    found,
    notes,
    error: suggestions.isFetching ? null : suggestions.error,
    isReady: suggestions.data !== undefined,
  };
};

const Finder = ({
  kind,
  isAskedFor,
  onChoose,
  onType,
}: {
  kind: Kind;
  /** It was opened by a press, and takes the focus that the press has left. */
  isAskedFor: boolean;
  onChoose: (recipient: Recipient) => void;
  /** Is told what is typed so far where the workspace cannot be searched. */
  onType: (recipient: Recipient | undefined) => void;
}) => {
  const id = useId();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  // What is typed in place of a name asks for nothing: each answer would take the field away.
  const [down, setDown] = useState<Error>();
  const { found, notes, error, isReady } = useFound(kind, text, down === undefined);
  if (error !== null && down === undefined) setDown(error);
  const at = Math.min(place, found.length - 1);
  useInSight(`${id}-${at}`, text);
  if (down !== undefined) {
    return (
      <>
        <Problem error={down} />
        <TextField
          label={kind === 'channel' ? 'Id of the channel' : 'Address or id of the person'}
          hint="The workspace cannot be searched at the moment."
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            onType(recipientTyped(kind, target.value));
          }}
        />
        <div>
          <Button
            onClick={() => {
              onType(undefined);
              setDown(undefined);
            }}
          >
            Search again
          </Button>
        </div>
      </>
    );
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = found[at];
    if (event.key === 'ArrowDown') setPlace(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setPlace(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && chosen) onChoose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.finder}>
      <input
        // biome-ignore lint/a11y/noAutofocus: what had the focus gave way to this
        autoFocus={isAskedFor}
        role="combobox"
        aria-label={kind === 'channel' ? 'Search channels' : 'Search people'}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] && `${id}-${at}`}
        placeholder={kind === 'channel' ? 'Part of the name, as in deploys' : 'Part of the name or address'}
        autoComplete="off"
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setPlace(0);
        }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the options of the combobox above */}
      <ul id={`${id}-list`} role="listbox" aria-label="Found" tabIndex={-1}>
        {found.map((recipient, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox points to the chosen option
          <li
            key={JSON.stringify(recipient.destination)}
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the combobox
            role="option"
            aria-selected={index === at}
            onClick={() => onChoose(recipient)}
          >
            <strong>{recipient.label}</strong>
            {notes[index] && <span className="visually-hidden">, </span>}
            <span>{notes[index]}</span>
          </li>
        ))}
      </ul>
      {isReady && found.length === 0 && <p>The workspace has none of this name.</p>}
    </div>
  );
};

/** What a message can go to besides a channel or a person. */
export interface Elsewhere {
  readonly name: string;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
  /** Asks for the rest. */
  readonly field: ReactNode;
}

/** Chooses a channel or a person of the workspace by name. */
export const RecipientPicker = ({
  label = 'To',
  chosen,
  elsewhere,
  onChoose,
}: {
  label?: string;
  chosen: Recipient | undefined;
  elsewhere?: Elsewhere;
  /** `isTyped` is one that is typed letter by letter, where the workspace cannot be searched. */
  onChoose: (recipient: Recipient | undefined, isTyped?: boolean) => void;
}) => {
  const [kind, setKind] = useState<Kind>(chosen ? kindOf(chosen) : 'channel');
  const [isSearching, search] = useState(chosen === undefined);
  const [isAskedFor, askFor] = useState(false);
  if (chosen !== undefined && !isSearching && !elsewhere?.isChosen) {
    return (
      <p className={styles.chosen}>
        <span>
          To <strong>{chosen.label}</strong>
          {chosen.doubt && <small>{chosen.doubt}</small>}
        </span>
        <Button
          autoFocus={isAskedFor}
          onClick={() => {
            search(true);
            askFor(true);
            // Nothing goes to a recipient that is no longer shown.
            onChoose(undefined);
          }}
        >
          Change recipient
        </Button>
      </p>
    );
  }
  return (
    <>
      <SelectField
        label={label}
        value={elsewhere?.isChosen ? 'elsewhere' : kind}
        options={[
          ['channel', 'A channel'],
          ['person', 'A person'],
          ...(elsewhere ? [['elsewhere', elsewhere.name] as const] : []),
        ]}
        onChange={({ target }) => {
          const next = kinds.find((it) => it === target.value);
          elsewhere?.choose(next === undefined);
          if (next === undefined) return;
          setKind(next);
          askFor(false);
          search(true);
          onChoose(undefined);
        }}
      />
      {elsewhere?.isChosen ? (
        elsewhere.field
      ) : (
        <Finder
          key={kind}
          kind={kind}
          isAskedFor={isAskedFor}
          onChoose={(recipient) => {
            onChoose(recipient);
            askFor(true);
            search(false);
          }}
          onType={(recipient) => onChoose(recipient, true)}
        />
      )}
    </>
  );
};
