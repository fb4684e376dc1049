import type { Queue, QueueMode } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { NewDigest } from '../../editor/making/new-digest.tsx';
import { RecipientPicker } from '../../editor/send/recipient-picker.tsx';
import { type Recipient, recipientOf } from '../../editor/send/recipients.ts';
import { useNamed } from '../../editor/send/use-named.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useDestinations } from '../../shell/whole-lists.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Pair } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { DigestTemplate } from './digest-template.tsx';
import { span } from './span.ts';

const start = {
  name: '',
  mode: 'rolling_window' as QueueMode,
  first: '60',
  second: '',
  template: '',
  form: 'chat' as 'chat' | 'destination',
  recipient: undefined as Recipient | undefined,
  destination: '',
  live: false,
};

type Values = typeof start;

const aDay = 86_400;

const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const policyOf = ({ name, mode, first, second, template, form, recipient, destination, live }: Values) => ({
  name,
  mode,
  ...(mode === 'rolling_window'
    ? { window_seconds: numberOf(first), max_window_seconds: numberOf(second) }
    : { threshold: numberOf(first), max_wait_seconds: numberOf(second) }),
  ...(template !== '' && { template_id: template }),
  ...(form === 'chat' ? recipient?.destination : { destination_id: destination }),
  live: form === 'chat' && live,
});

/** Seconds in larger units, where there are some. */
const longSpan = (seconds: string): string | undefined =>
  Number(seconds) >= 60 && Number(seconds) % 60 === 0 ? `That is ${span(Number(seconds))}.` : undefined;

const textOf = (value: number | null): string => (value === null ? '' : String(value));

const valuesOf = (queue: Queue): Values => {
  const rolls = queue.mode === 'rolling_window';
  return {
    name: queue.name,
    mode: queue.mode,
    first: textOf(rolls ? queue.window_seconds : queue.threshold),
    second: textOf(rolls ? queue.max_window_seconds : queue.max_wait_seconds),
    template: queue.template_id ?? '',
    form: queue.destination_id === null ? 'chat' : 'destination',
    recipient: queue.destination_id === null ? recipientOf(queue) : undefined,
    destination: queue.destination_id ?? '',
    live: queue.live ?? false,
  };
};

/** The longest wait of a queue that names none. */
const latestByDefault = ({ mode, first }: Pick<Values, 'mode' | 'first'>) =>
  mode === 'rolling_window'
    ? { max_window_seconds: Math.min(Number(first) * 10, aDay) }
    : { max_wait_seconds: aDay };

/** A change keeps what it does not name: what the form no longer has is taken away by name. */
const takenAway = (before: Values, { template, ...values }: Values) => {
  const losesTemplate = template === '' && before.template !== '';
  const losesLatest = values.second === '' && before.second !== '' && before.mode === values.mode;
  return { ...(losesTemplate && { template_id: null }), ...(losesLatest && latestByDefault(values)) };
};

/** What the form has changed: what others change while it is open stays. */
const changed = (before: Values, values: Values) => {
  const was = new Map<string, unknown>(Object.entries(policyOf(before)));
  const isNew = ([name, value]: [string, unknown]) => value !== was.get(name);
  return {
    ...Object.fromEntries(Object.entries(policyOf(values)).filter(isNew)),
    ...takenAway(before, values),
  };
};

const DestinationField = ({
  chosen,
  onChoose,
}: {
  chosen: string;
  onChoose: (destination: string) => void;
}) => {
  const { data: known = [] } = useDestinations();
  // The one that the queue has is not to be chosen again because the list is not there yet.
  const isUnlisted = chosen !== '' && !known.some(({ id }) => id === chosen);
  return (
    <SelectField
      label="Destination"
      required
      value={chosen}
      options={[
        ['', 'Choose one'],
        ...(isUnlisted ? [[chosen, `${chosen.slice(0, 8)}…`] as const] : []),
        ...known.map(({ id, name }) => [id, name] as const),
      ]}
      onChange={({ target }) => onChoose(target.value)}
    />
  );
};

/** Asks for the policy of a queue: of a new one, or of one that is changed. */
export const QueueForm = ({ queue, onClose }: { queue?: Queue; onClose: () => void }) => {
  const [before] = useState(() => (queue === undefined ? start : valuesOf(queue)));
  const [given, setValues] = useState(before);
  const limits = useRead(api.getUsageLimits, {}, { enabled: useMay('usage:read') });
  const lacksSilence = limits.data?.queues.modes.includes('rolling_window') === false;
  // A new queue begins with what the tier includes.
  const values: Values = lacksSilence && queue === undefined ? { ...given, mode: 'fixed_volume' } : given;
  const [isBeginning, begin] = useState(false);
  const change = (to: Partial<Values>): void => setValues({ ...values, ...to });
  const creating = useChange(api.createQueue, onClose);
  const updating = useChange(api.updateQueue, onClose);
  const submit = (): void =>
    queue === undefined
      ? creating.mutate({ body: policyOf(values) })
      : updating.mutate({
          params: { id: queue.id },
          body: changed(before, values),
        });
  const rolls = values.mode === 'rolling_window';
  const toChat = values.form === 'chat';
  const recipient = useNamed(values.recipient);
  const form = (
    <FormDialog
      title={queue === undefined ? 'New queue' : 'Edit queue'}
      isEntered={given !== before}
      onClose={onClose}
      mutation={queue === undefined ? creating : updating}
      submit={queue === undefined ? 'Create queue' : 'Save'}
      disabled={toChat && recipient === undefined}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        maxLength={255}
        value={values.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <SelectField
        label="Send the digest"
        value={values.mode}
        options={[
          ...(lacksSilence && !rolls ? [] : [['rolling_window', 'After a silence'] as const]),
          ['fixed_volume', 'At a number of events'],
        ]}
        hint={lacksSilence && 'Your tier has no digests after a silence'}
        onChange={({ target }) =>
          change(
            // Seconds are no number of events.
            target.value === 'fixed_volume'
              ? { mode: 'fixed_volume', first: '10', second: '' }
              : { mode: 'rolling_window', first: start.first, second: '' },
          )
        }
      />
      <Pair>
        <TextField
          label={rolls ? 'Seconds of silence' : 'Events'}
          type="number"
          min={1}
          required
          hint={rolls ? longSpan(values.first) : undefined}
          value={values.first}
          onChange={({ target }) => change({ first: target.value })}
        />
        <TextField
          label="At the latest, seconds"
          type="number"
          min={1}
          hint={`${longSpan(values.second) ?? ''} After the first event; left out, it is ${rolls ? 'ten times the silence' : 'a day'}`.trim()}
          value={values.second}
          onChange={({ target }) => change({ second: target.value })}
        />
      </Pair>
      <DigestTemplate
        chosen={values.template}
        required={toChat}
        onChoose={(template) => change({ template })}
        onNew={() => begin(true)}
      />
      <RecipientPicker
        chosen={recipient}
        elsewhere={{
          name: 'A destination',
          isChosen: !toChat,
          choose: (isChosen) =>
            setValues((before) => ({ ...before, form: isChosen ? 'destination' : 'chat' })),
          field: (
            <DestinationField
              chosen={values.destination}
              onChoose={(destination) => change({ destination })}
            />
          ),
        }}
        onChoose={(chosen) => setValues((before) => ({ ...before, recipient: chosen }))}
      />
      {toChat && (
        <CheckField
          label="Show the digest while it gathers"
          hint="The message is posted with the first event and updated until the digest is complete, for two credits"
          checked={values.live}
          onChange={({ target }) => change({ live: target.checked })}
        />
      )}
    </FormDialog>
  );
  // A form cannot stand in another one.
  return (
    <>
      {form}
      {isBeginning && (
        <NewDigest
          onClose={() => begin(false)}
          onCreated={(template) => {
            change({ template });
            begin(false);
          }}
        />
      )}
    </>
  );
};
