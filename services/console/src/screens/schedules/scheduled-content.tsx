import type { TemplateVersion } from '@stanza/contracts';
import type { InputField } from '@stanza/engine';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { DataRegion, type Trial } from '../../editor/data/data-region.tsx';
import { PreviewedMessage } from '../../editor/preview.tsx';
import { useMissing } from '../../editor/send/missing-values.tsx';
import styles from '../../editor/send/send.module.css';
import { Findings } from '../../editor/send/send-dialog.tsx';
import { useDrawing } from '../../editor/send/use-drawing.ts';
import { type TemplateAndLive, useVersion } from '../../editor/versions/api.ts';
import { Answer } from '../../ui/listing.tsx';

interface Filling {
  trial: Trial;
  onTrial: (trial: Trial) => void;
  /** Whether a message comes of it. */
  onWhole: (isWhole: boolean) => void;
}

/** The data of a schedule with what each run adds, as if it ran now; its own `schedule` goes before. */
export const useRunData = (trial: Trial): Trial => {
  const { data: scheduled } = trial;
  const [now] = useState(() => new Date().toISOString());
  const data = useMemo(() => ({ schedule: { due_at: now }, ...scheduled }), [scheduled, now]);
  return { ...trial, data };
};

/** Whether a value comes from the run, so that it is not asked for. */
const isOfRun = ({ name, fields = [] }: InputField): boolean =>
  name === 'schedule' && fields.every((field) => field.name === 'due_at');

const Filled = ({
  template,
  version,
  trial,
  onTrial,
  onWhole,
}: Filling & { template: TemplateAndLive; version: TemplateVersion }) => {
  const { output, fields, findings, sender } = useDrawing(template, version, useRunData(trial));
  const entered = fields?.filter((field) => !isOfRun(field));
  const { isAgreed, question } = useMissing(findings);
  const isWhole = output !== undefined && isAgreed;
  useEffect(() => onWhole(isWhole), [isWhole, onWhole]);
  return (
    <div className={styles.parts}>
      {(entered?.length !== 0 || fields?.length === 0) && (
        <DataRegion
          templateId={template.id}
          sample={version.sample_data}
          fields={entered}
          trial={trial}
          onChange={onTrial}
          hasPlace={false}
        />
      )}
      <section className={styles.part} aria-label="The message">
        <h3>The message, as it would be sent now</h3>
        {output && <PreviewedMessage output={output} sender={sender} />}
        <Findings findings={findings} />
        {question}
        <p>
          A template says the day of its run where it has <code>{'{{schedule.due_at | date:"long"}}'}</code>{' '}
          in a text.
        </p>
      </section>
    </div>
  );
};

/** What a schedule sends: the values that the template reads, with the message made of them. */
export const ScheduledContent = ({ templateId, ...filling }: Filling & { templateId: string }) => {
  const template = useRead(api.getTemplate, { params: { id: templateId } });
  const version = useVersion(templateId, template.data?.current_version?.id);
  if (template.data && template.data.current_version === null) {
    return (
      <p role="alert">No version of {template.data.name} is live yet. Make one live, and schedule it then.</p>
    );
  }
  if (template.data && version.data) {
    return <Filled template={template.data} version={version.data} {...filling} />;
  }
  return (
    <Answer read={template.data ? version : template} lines={3}>
      {() => null}
    </Answer>
  );
};
