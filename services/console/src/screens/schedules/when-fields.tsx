import type { ScheduledMessageDetails } from '@stanza/contracts';
import { Button } from '../../ui/button.tsx';
import { cronWords } from '../../ui/cron-words.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Pair } from '../../ui/form.tsx';
import { cronOf, type RegularTimes, regularTimesOf, rhythms, weekdays } from './regular-times.ts';
import { nearestZone, zoneProblem, zones } from './time-zones.ts';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When a message is sent, as the form has it. */
export interface Timing {
  readonly repeats: boolean;
  /** In the form of the field of a date and a time, in the time zone of the browser. */
  readonly at: string;
  readonly times: RegularTimes;
  readonly timezone: string;
}

/** What a new schedule begins with. */
export const startTiming: Timing = {
  repeats: true,
  at: '',
  times: regularTimesOf('0 9 * * 1-5'),
  timezone: ownZone,
};

const fieldOf = (at: string): string => {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The timing of a schedule. */
export const timingOf = ({ cron, send_at, timezone }: ScheduledMessageDetails): Timing => ({
  repeats: cron !== null,
  at: send_at === null ? '' : fieldOf(send_at),
  times: cron === null ? startTiming.times : regularTimesOf(cron),
  timezone: timezone ?? 'UTC',
});

/** The timing as the API takes it. */
export const bodyOfTiming = ({ repeats, at, times, timezone }: Timing) => ({
  timezone,
  ...(repeats ? { cron: cronOf(times) } : { send_at: at === '' ? '' : new Date(at).toISOString() }),
});

const RhythmFields = ({
  times,
  change,
}: {
  times: RegularTimes;
  change: (to: Partial<RegularTimes>) => void;
}) => {
  const { rhythm } = times;
  if (rhythm === 'cron') {
    return (
      <TextField
        label="Cron"
        required
        hint="Minute, hour, day of the month, month, day of the week"
        value={times.cron}
        onChange={({ target }) => change({ cron: target.value })}
      />
    );
  }
  return (
    <Pair>
      {rhythm === 'weekly' && (
        <SelectField
          label="On"
          value={times.weekday}
          options={weekdays}
          onChange={({ target }) => change({ weekday: target.value })}
        />
      )}
      {rhythm === 'monthly' && (
        <TextField
          label="On day"
          type="number"
          min={1}
          max={31}
          required
          hint={Number(times.monthDay) > 28 ? 'Shorter months are left out' : undefined}
          value={times.monthDay}
          onChange={({ target }) => change({ monthDay: target.value })}
        />
      )}
      {rhythm === 'hourly' ? (
        <TextField
          label="Minutes past the hour"
          type="number"
          min={0}
          max={59}
          required
          value={String(Number(times.time.slice(3)))}
          onChange={({ target }) => change({ time: `00:${target.value.padStart(2, '0')}` })}
        />
      ) : (
        <TextField
          label="At"
          type="time"
          required
          value={times.time}
          onChange={({ target }) => change({ time: target.value })}
        />
      )}
    </Pair>
  );
};

const ZoneProblem = ({ of, onTake }: { of: string; onTake: (zone: string) => void }) => {
  const nearest = nearestZone(of);
  return (
    <>
      {zoneProblem(of)}{' '}
      {nearest && (
        <Button look="link" onClick={() => onTake(nearest)}>
          Take {nearest}
        </Button>
      )}
    </>
  );
};

/** Asks when a message is sent: once, or again and again, in words. */
export const WhenFields = ({ timing, onChange }: { timing: Timing; onChange: (timing: Timing) => void }) => {
  const { repeats, at, times, timezone } = timing;
  const words = repeats ? cronWords(cronOf(times), timezone) : undefined;
  const change = (to: Partial<RegularTimes>): void => onChange({ ...timing, times: { ...times, ...to } });
  return (
    <>
      <SelectField
        label="Send it"
        value={repeats ? times.rhythm : 'once'}
        options={[['once', 'Once'], ...rhythms]}
        onChange={({ target }) => {
          const rhythm = rhythms.find(([name]) => name === target.value)?.[0];
          if (rhythm === undefined) onChange({ ...timing, repeats: false });
          else onChange({ ...timing, repeats: true, times: { ...times, rhythm, cron: cronOf(times) } });
        }}
      />
      {repeats ? (
        <RhythmFields times={times} change={change} />
      ) : (
        <TextField
          label="At"
          type="datetime-local"
          required
          hint={`In your time zone, ${ownZone}`}
          value={at}
          onChange={({ target }) => onChange({ ...timing, at: target.value })}
        />
      )}
      <TextField
        label="Time zone"
        required
        list="time-zones"
        value={timezone}
        problem={
          zoneProblem(timezone) && (
            <ZoneProblem of={timezone} onTake={(zone) => onChange({ ...timing, timezone: zone })} />
          )
        }
        hint={words === undefined ? 'Of the times, and of dates in the message' : `It is sent ${words}.`}
        onChange={({ target }) => onChange({ ...timing, timezone: target.value })}
      />
      <datalist id="time-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
};
