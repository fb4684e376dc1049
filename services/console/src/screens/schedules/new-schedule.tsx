import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { isObject, readJson } from '../../json.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, Pair, Problem } from '../../ui/form.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { useTemplates } from '../template-names.ts';

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

const bodyOf = ({ template, channel, repeats, at, cron, timezone, data }: Values) => ({
  template_id: template,
  channel_id: channel,
  data: dataOf(data) ?? {},
  timezone,
  ...(repeats === 'once' ? { send_at: new Date(at).toISOString() } : { cron }),
});

/** Asks what to send, where and when. */
export const NewSchedule = ({ onClose }: { onClose: () => void }) => {
  const [values, setValues] = useState(start);
  const change = (to: Partial<Values>): void => setValues({ ...values, ...to });
  const { templates } = useTemplates();
  const creating = useChange(api.createSchedule, onClose);
  return (
    <Dialog title="New schedule" onClose={onClose}>
      <Form onSubmit={() => creating.mutate({ body: bodyOf(values) })}>
        <Pair>
          <SelectField
            label="Template"
            required
            value={values.template}
            options={[['', 'Choose one'], ...templates.map(({ id, name }) => [id, name] as const)]}
            onChange={({ target }) => change({ template: target.value })}
          />
          <TextField
            label="Channel"
            required
            placeholder="C0DEPLOYS"
            value={values.channel}
            onChange={({ target }) => change({ channel: target.value })}
          />
        </Pair>
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
              hint="Minute, hour, day of the month, month, day of the week"
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
        <JsonField
          label="Data"
          hint="What the placeholders of the template read"
          rows={5}
          text={values.data}
          onText={(data) => change({ data })}
        />
        <FormEnd error={<Problem error={creating.error} />}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            busy={creating.isPending}
            disabled={dataOf(values.data) === undefined}
          >
            Schedule
          </Button>
        </FormEnd>
      </Form>
    </Dialog>
  );
};
