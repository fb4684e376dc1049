import type { MessageDetails, ReplyOf, TemplateVersion, updateMessage } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { DataRegion, type Trial } from '../../editor/data/data-region.tsx';
import { PreviewedMessage } from '../../editor/preview.tsx';
import { useMissing } from '../../editor/send/missing-values.tsx';
import styles from '../../editor/send/send.module.css';
import { Cost, Findings } from '../../editor/send/send-dialog.tsx';
import { useKnownData, useSentData } from '../../editor/send/sent-data.ts';
import { bodyOfTrial, nothing, useDrawing } from '../../editor/send/use-drawing.ts';
import { type TemplateAndLive, useVersion } from '../../editor/versions/api.ts';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Updating {
  message: MessageDetails;
  template: TemplateAndLive;
  /** `#deploys`, `Ada Lovelace`. */
  to: string;
  onClose: () => void;
  onUpdated: (reply: ReplyOf<typeof updateMessage>) => void;
}

/** What the channel shows now, where that is known. */
const Before = ({
  template,
  version,
  known,
}: Pick<Updating, 'template'> & { version: TemplateVersion | undefined; known: Trial | undefined }) => {
  const { output, fields, sender } = useDrawing(template, version, known ?? nothing);
  const isKnown = known !== undefined || fields?.length === 0;
  return (
    <section className={styles.part} aria-label="Before">
      <h3>Before</h3>
      {output && isKnown ? (
        <PreviewedMessage output={output} sender={sender} />
      ) : (
        <p>The data of messages is not kept, so what the channel shows cannot be drawn here.</p>
      )}
    </section>
  );
};

/** Replaces a message in its channel: the data in a form, what was and what will be, and what it costs. */
export const UpdateMessage = ({ message, template, to, onClose, onUpdated }: Updating) => {
  const sent = useSentData();
  // What somebody else changes while the form is open is not overwritten unseen.
  const [seen] = useState(message.revision);
  const [known] = useState(useKnownData(message).known);
  const [trial, setTrial] = useState(known ?? nothing);
  const [shows, show] = useState<'same' | 'live'>('same');
  const same = useVersion(template.id, message.version_id).data;
  const live = useVersion(template.id, template.current_version?.id).data;
  const isBehind = live !== undefined && live.id !== message.version_id;
  const version = shows === 'live' ? live : same;
  const { output, fields, findings, sender } = useDrawing(template, version, trial);
  const { isAgreed, question } = useMissing(findings);
  const updating = useChange(api.updateMessage, (reply) => {
    sent.keep(message.id, reply.revision, trial);
    onUpdated(reply);
    onClose();
  });
  return (
    <FormDialog
      wide
      title={`Update the message in ${to}?`}
      isEntered={trial !== (known ?? nothing)}
      onClose={onClose}
      mutation={updating}
      submit="Update now"
      disabled={output === undefined || !isAgreed}
      onSubmit={() =>
        updating.mutate({
          params: { id: message.id },
          body: { ...bodyOfTrial(trial), version: shows, expected_revision: seen },
        })
      }
    >
      <div className={styles.facts}>
        <p>The message is replaced in its place, for everybody who sees it.</p>
        <Cost>An update that changes nothing costs nothing.</Cost>
      </div>
      {isBehind && (
        <SelectField
          label="Version"
          value={shows}
          options={[
            ['same', `Version ${message.version_number ?? '–'}, as it was sent`],
            ['live', `Version ${live.version_number}, which is live`],
          ]}
          onChange={({ target }) => show(target.value === 'live' ? 'live' : 'same')}
        />
      )}
      <div className={styles.parts}>
        <DataRegion
          templateId={template.id}
          sample={version?.sample_data}
          fields={fields}
          trial={trial}
          onChange={setTrial}
        />
        <div className={styles.part}>
          <Before template={template} version={same} known={known} />
          <section className={styles.part} aria-label="After">
            <h3>After</h3>
            {output && <PreviewedMessage output={output} sender={sender} />}
            <Findings findings={findings} />
            {question}
          </section>
        </div>
      </div>
    </FormDialog>
  );
};
