import type { ScheduledMessageDetails } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { isObject, readJson } from '../../json.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Pair } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { useTemplates } from '../template-names.ts';
import { cronWords } from './cron-words.ts';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const start = {
  template: '',
  channel: '',
  repeats: 'once',
  at: '',
  cron: '0 9 * * 1-5',
  timezone: ownZone,
  data: '{}',
};

type Values = typeof start;

const dataOf = (text: string): Record<string, unknown> | undefined => {
  const read = readJson(text);
  return read.problem === undefined && isObject(read.value) ? read.value : undefined;
};

/** A moment in the form of the field of a date and a time, in the time zone of the browser. */
const fieldOf = (at: string): string => {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const valuesOf = (schedule: ScheduledMessageDetails): Values => ({
  template: schedule.template_id,
  channel: schedule.channel_id ?? '',
  repeats: schedule.cron === null ? 'once' : 'again',
  at: schedule.send_at === null ? '' : fieldOf(schedule.send_at),
  cron: schedule.cron ?? start.cron,
  timezone: schedule.timezone ?? 'UTC',
  data: JSON.stringify(schedule.data, null, 2),
});

const bodyOf = ({ template, channel, repeats, at, cron, timezone, data }: Values) => ({
  template_id: template,
  channel_id: channel === '' ? undefined : channel,
  data: dataOf(data) ?? {},
  timezone,
  ...(repeats === 'once' ? { send_at: new Date(at).toISOString() } : { cron }),
});

/** What differs from the schedule: a time that stays as it is may have passed by now. */
const changeOf = (values: Values, before: Values) => {
  const { template_id, channel_id, data, timezone, ...timing } = bodyOf(values);
  const isRetimed = (['repeats', 'at', 'cron'] as const).some((name) => values[name] !== before[name]);
  return {
    ...(values.template !== before.template && { template_id }),
    ...(values.channel !== before.channel && { channel_id }),
    ...(values.data !== before.data && { data }),
    ...(values.timezone !== before.timezone && { timezone }),
    ...(isRetimed && timing),
  };
};

const cronHint = 'Minute, hour, day of the month, month, day of the week';

const When = ({ values, change }: { values: Values; change: (to: Partial<Values>) => void }) => (
  <>
    <SelectField
      label="Send it"
      value={values.repeats}
      options={[
        ['once', 'Once'],
        ['again', 'Again and again'],
      ]}
      onChange={({ target }) => change({ repeats: target.value })}
    />
    <Pair>
      {values.repeats === 'once' ? (
        <TextField
          label="At"
          type="datetime-local"
          required
          hint={`In your time zone, ${ownZone}`}
          value={values.at}
          onChange={({ target }) => change({ at: target.value })}
        />
      ) : (
        <TextField
          label="Cron"
          required
          hint={cronWords(values.cron, values.timezone) ?? cronHint}
          value={values.cron}
          onChange={({ target }) => change({ cron: target.value })}
        />
      )}
      <TextField
        label="Time zone"
        required
        value={values.timezone}
        hint="Of the cron, and of dates in the message"
        onChange={({ target }) => change({ timezone: target.value })}
      />
    </Pair>
  </>
);

/** Asks what to send, where and when: for a new schedule, or for one that is changed. */
export const ScheduleForm = ({
  schedule,
  onClose,
}: {
  schedule?: ScheduledMessageDetails;
  onClose: () => void;
}) => {
  const [before] = useState(schedule === undefined ? start : valuesOf(schedule));
  const [values, setValues] = useState(before);
  const change = (to: Partial<Values>): void => setValues({ ...values, ...to });
  const { optionsWith } = useTemplates();
  const creating = useChange(api.createSchedule, onClose);
  const updating = useChange(api.updateSchedule, onClose);
  const submit = (): void =>
    schedule === undefined
      ? creating.mutate({ body: bodyOf(values) })
      : updating.mutate({ params: { id: schedule.id }, body: changeOf(values, before) });
  return (
    <FormDialog
      title={schedule === undefined ? 'New schedule' : 'Edit schedule'}
      onClose={onClose}
      asked={schedule === undefined ? creating : updating}
      submit={schedule === undefined ? 'Schedule' : 'Save'}
      disabled={dataOf(values.data) === undefined}
      onSubmit={submit}
    >
      <Pair>
        <SelectField
          label="Template"
          required
          value={values.template}
          options={[['', 'Choose one'], ...optionsWith(values.template)]}
          onChange={({ target }) => change({ template: target.value })}
        />
        <TextField
          label="Channel"
          required={before.channel !== '' || schedule === undefined}
          hint={before.channel === '' && schedule ? 'Empty: it goes to the same person' : undefined}
          placeholder="C0DEPLOYS"
          value={values.channel}
          onChange={({ target }) => change({ channel: target.value })}
        />
      </Pair>
      <When values={values} change={change} />
      <JsonField
        label="Data"
        hint="What the placeholders of the template read"
        rows={5}
        text={values.data}
        onText={(data) => change({ data })}
      />
    </FormDialog>
  );
};
