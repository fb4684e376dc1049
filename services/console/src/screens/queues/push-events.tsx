import type { Queue, TemplateVersion } from '@stanza/contracts';
import { useEffect, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { DataFields } from '../../editor/data/data-fields.tsx';
import type { Finding } from '../../editor/evaluation/findings.ts';
import { JsonInput } from '../../editor/inspector/json-input.tsx';
import { PreviewedMessage } from '../../editor/preview.tsx';
import { useMissing } from '../../editor/send/missing-values.tsx';
import styles from '../../editor/send/send.module.css';
import { Findings } from '../../editor/send/send-dialog.tsx';
import { nothing, useDrawing } from '../../editor/send/use-drawing.ts';
import { type TemplateAndLive, useVersion } from '../../editor/versions/api.ts';
import { isList, isObject } from '../../json.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Answer } from '../../ui/listing.tsx';
import { digestOf } from './digest-data.ts';

interface Pushed {
  queue: Queue;
  events: readonly unknown[];
  onChange: (events: readonly unknown[]) => void;
  /** Takes what their digest would lack. */
  onFindings: (findings: readonly Finding[]) => void;
}

const EventsAsJson = ({ events, onChange }: Pick<Pushed, 'events' | 'onChange'>) => (
  <JsonInput
    label="Events as JSON"
    value={events}
    onChange={(next) => onChange(isList(next) ? next : next === undefined ? [] : [next])}
  />
);

/** The values that the template reads of each event, with the digest that these events alone would make. */
const EventForm = ({
  template,
  version,
  ...pushed
}: Pushed & { template: TemplateAndLive; version: TemplateVersion }) => {
  const { queue, events, onChange, onFindings } = pushed;
  const [trial, setTrial] = useState({ ...nothing, data: digestOf(queue, events) });
  const { output, fields, findings, sender } = useDrawing(template, version, trial);
  useEffect(() => onFindings(findings), [findings, onFindings]);
  const field = fields?.find(({ name }) => name === 'events');
  const put = (next: readonly unknown[]): void => {
    onChange(next);
    setTrial({ ...nothing, data: digestOf(queue, next) });
  };
  if (fields !== undefined && field?.items?.type !== 'object') {
    return <EventsAsJson events={events} onChange={put} />;
  }
  return (
    <div className={styles.parts}>
      <div className={styles.part}>
        {field && (
          <DataFields
            fields={[field]}
            value={{ events }}
            onChange={({ events: next }) => put(isList(next) ? next : [])}
          />
        )}
        <details>
          <summary>Events as JSON</summary>
          <EventsAsJson events={events} onChange={put} />
        </details>
      </div>
      <section className={styles.part} aria-label="The digest">
        <h3>The digest of these events alone</h3>
        {output && <PreviewedMessage output={output} sender={sender} />}
        <Findings findings={findings} />
      </section>
    </div>
  );
};

/** The form of the events where a template makes the digest, else JSON. */
const Events = (pushed: Pushed) => {
  const { template_id } = pushed.queue;
  const template = useRead(
    api.getTemplate,
    { params: { id: template_id ?? '' } },
    { enabled: template_id !== null },
  );
  const version = useVersion(template_id ?? '', template.data?.current_version?.id);
  if (template.data && version.data) {
    return <EventForm template={template.data} version={version.data} {...pushed} />;
  }
  if (template_id === null || template.data?.current_version === null) return <EventsAsJson {...pushed} />;
  return (
    <Answer read={template.data ? version : template} lines={3}>
      {() => null}
    </Answer>
  );
};

const start: readonly unknown[] = [{}];

/** Pushes events by hand, to try a queue. */
export const PushEvents = ({ queue, onClose }: { queue: Queue; onClose: () => void }) => {
  const [events, setEvents] = useState(start);
  const [findings, find] = useState<readonly Finding[]>([]);
  const { isAgreed, question } = useMissing(findings);
  const pushing = useChange(api.pushEvents, onClose);
  const whole = events.filter(isObject);
  return (
    <FormDialog
      wide
      title={`Push events to ${queue.name}`}
      isEntered={events !== start}
      onClose={onClose}
      mutation={pushing}
      submit="Push"
      disabled={whole.length === 0 || whole.length < events.length || !isAgreed}
      onSubmit={() => pushing.mutate({ params: { id: queue.id }, body: { events: whole } })}
    >
      <p>Events usually come from programs. Events pushed here count like those: their digest is sent.</p>
      <Events queue={queue} events={events} onChange={setEvents} onFindings={find} />
      {question}
    </FormDialog>
  );
};
