import type { ScheduledMessageDetails } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { RecipientPicker } from '../../editor/send/recipient-picker.tsx';
import { type Recipient, recipientOf } from '../../editor/send/recipients.ts';
import styles from '../../editor/send/send.module.css';
import { nothing } from '../../editor/send/use-drawing.ts';
import { useNamed } from '../../editor/send/use-named.ts';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useTemplates } from '../template-names.ts';
import { ScheduledContent } from './scheduled-content.tsx';
import { zoneProblem } from './time-zones.ts';
import { bodyOfTiming, startTiming, type Timing, timingOf, WhenFields } from './when-fields.tsx';

/** What differs from the schedule: a time that stays as it is may have passed by now. */
const changedTiming = (timing: Timing, before: Timing) => {
  const { timezone, ...at } = bodyOfTiming(timing);
  const { timezone: zoneBefore, ...atBefore } = bodyOfTiming(before);
  return {
    ...(timezone !== zoneBefore && { timezone }),
    ...(JSON.stringify(at) !== JSON.stringify(atBefore) && at),
  };
};

/** Asks what to send, to whom and when: for a new schedule, or for one that is changed. */
export const ScheduleForm = ({
  schedule: given,
  onClose,
}: {
  schedule?: ScheduledMessageDetails;
  onClose: () => void;
}) => {
  // As it was when the form was opened: what others change since then stays.
  const [schedule] = useState(given);
  const [before] = useState(() => (schedule === undefined ? startTiming : timingOf(schedule)));
  const [timing, time] = useState(before);
  const [template, choose] = useState(schedule?.template_id ?? '');
  const [own, address] = useState<Recipient>();
  const [isReplaced, replace] = useState(schedule === undefined);
  const kept = useNamed(schedule && recipientOf(schedule));
  const recipient = isReplaced ? own : kept;
  const [begun] = useState(() => (schedule === undefined ? nothing : { ...nothing, data: schedule.data }));
  const [trial, fill] = useState(begun);
  const [isWhole, setWhole] = useState(false);
  const { optionsWith } = useTemplates();
  const isChosen = template !== (schedule?.template_id ?? '') || own !== undefined || timing !== before;
  const creating = useChange(api.createSchedule, onClose);
  const updating = useChange(api.updateSchedule, onClose);
  const submit = (): void => {
    const { data } = trial;
    if (schedule !== undefined) {
      const body = {
        ...changedTiming(timing, before),
        ...(template !== schedule.template_id && { template_id: template }),
        ...(isReplaced && own?.destination),
        ...(data !== schedule.data && { data }),
      };
      updating.mutate({ params: { id: schedule.id }, body });
    } else if (own !== undefined) {
      creating.mutate({ body: { template_id: template, data, ...own.destination, ...bodyOfTiming(timing) } });
    }
  };
  return (
    <FormDialog
      wide
      title={schedule === undefined ? 'New schedule' : 'Edit schedule'}
      isEntered={isChosen || trial !== begun}
      onClose={onClose}
      mutation={schedule === undefined ? creating : updating}
      submit={schedule === undefined ? 'Schedule' : 'Save'}
      disabled={!isWhole || recipient === undefined || zoneProblem(timing.timezone) !== undefined}
      onSubmit={submit}
    >
      <div className={styles.parts}>
        <div className={styles.part}>
          <SelectField
            label="Template"
            required
            hint="Each run sends the version that is live then"
            value={template}
            options={[['', 'Choose one'], ...optionsWith(template)]}
            onChange={({ target }) => choose(target.value)}
          />
          <RecipientPicker
            chosen={recipient}
            onChoose={(chosen) => {
              address(chosen);
              replace(true);
            }}
          />
        </div>
        <div className={styles.part}>
          <WhenFields timing={timing} onChange={time} />
        </div>
      </div>
      {template !== '' && (
        <ScheduledContent
          key={template}
          templateId={template}
          trial={trial}
          onTrial={fill}
          onWhole={setWhole}
        />
      )}
    </FormDialog>
  );
};
