import type { MessageDetails } from '@stanza/contracts';
import { useState } from 'react';
import { DataRegion } from '../../editor/data/data-region.tsx';
import { PreviewedMessage } from '../../editor/preview.tsx';
import styles from '../../editor/send/send.module.css';
import { useKnownData } from '../../editor/send/sent-data.ts';
import { nothing, useDrawing } from '../../editor/send/use-drawing.ts';
import { type TemplateAndLive, useVersion } from '../../editor/versions/api.ts';
import { Card, Section } from '../../ui/page.tsx';
import { ContentOnItsWay } from './content-on-its-way.tsx';
import { wasClicked } from './words.ts';

/** Where what is drawn comes from: a message in the log has no data. */
const sourceOf = (
  message: MessageDetails,
  known: 'page' | 'schedule' | undefined,
  readsData: boolean,
): string => {
  const version = `version ${message.version_number ?? '–'}`;
  if (known === 'page') return `Drawn from ${version} with the data that you sent.`;
  if (known === 'schedule') return `Drawn from ${version} with the data that its schedule has now.`;
  if (!readsData) return `Drawn from ${version}, which reads no data.`;
  if (message.revisions[0]?.actor.startsWith('queue:'))
    return `Stanza does not keep what a message said; the batch of its queue has the events. With data filled in, ${version} is drawn here.`;
  return `Stanza does not keep what a message said: the chat has it. With data filled in, or loaded, ${version} is drawn here.`;
};

/** A message as its channel shows it, as far as its data is known, beside that data. */
export const MessageContent = ({
  message,
  template,
}: {
  message: MessageDetails;
  template: TemplateAndLive;
}) => {
  const version = useVersion(template.id, message.version_id);
  const { known, from } = useKnownData(message);
  const [own, setOwn] = useState(nothing);
  const trial = known ?? own;
  const { output, fields = [], sender, isDrawn } = useDrawing(template, version.data, trial);
  const readsData = fields.length > 0;
  if (version.isLoading || (version.data !== undefined && !isDrawn)) return <ContentOnItsWay />;
  if (version.data === undefined || (output === undefined && !readsData)) return null;
  return (
    <Section
      title="The message"
      about={`${message.status === 'failed' ? 'It was not posted. ' : ''}${sourceOf(message, known ? from : undefined, readsData)}`}
    >
      <Card>
        {wasClicked(message.revisions) && <p>A click has changed it since.</p>}
        <div className={styles.parts}>
          {output && (!readsData || trial !== nothing) && (
            <PreviewedMessage output={output} sender={sender} />
          )}
          {readsData && known === undefined && (
            <details>
              <summary>Fill in data to draw it</summary>
              <DataRegion templateId={template.id} fields={fields} trial={trial} onChange={setOwn} />
            </details>
          )}
        </div>
      </Card>
    </Section>
  );
};
