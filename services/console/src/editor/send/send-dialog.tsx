import type { TemplateVersion } from '@stanza/contracts';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DoneDialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { DataRegion, type Trial } from '../data/data-region.tsx';
import type { Finding } from '../evaluation/findings.ts';
import { PreviewedMessage } from '../preview.tsx';
import { type TemplateAndLive, useVersion } from '../versions/api.ts';
import { useMissing } from './missing-values.tsx';
import { RecipientPicker } from './recipient-picker.tsx';
import type { Recipient } from './recipients.ts';
import styles from './send.module.css';
import { useSentData } from './sent-data.ts';
import { bodyOfTrial, nothing, useDrawing } from './use-drawing.ts';
import { useNamed } from './use-named.ts';

const Sent = ({ id, recipient, onClose }: { id: string; recipient: Recipient; onClose: () => void }) => (
  <DoneDialog title="The message is sent" onClose={onClose}>
    <p role="status">
      It went to {recipient.label}.{' '}
      <ScreenLink screen="messages" item={id}>
        See it in the log
      </ScreenLink>
    </p>
  </DoneDialog>
);

/** What is wrong with a message; what is so in several places is said once. */
export const Findings = ({ findings }: { findings: readonly Finding[] }) =>
  findings.length > 0 && (
    <ul className={styles.findings} aria-label="Problems of the message">
      {[...new Set(findings.map(({ message }) => message))].map((message) => (
        <li key={message}>
          <Sentence>{message}</Sentence>
        </li>
      ))}
    </ul>
  );

/** What a message costs, and what is left, to those who may see it. */
export const Cost = ({ children }: { children: ReactNode }) => {
  const { place } = useActing();
  const maySee = useMay('usage:read');
  const { data } = useRead(
    api.getCredits,
    { params: { organization_id: place.organization } },
    { enabled: maySee },
  );
  return (
    <p>
      It costs one credit
      {data && `; ${data.available.toLocaleString('en')} can be spent`}. {children}
    </p>
  );
};

const Sending = ({
  template,
  version,
  to,
  with: begin,
  onClose,
}: {
  template: TemplateAndLive;
  version: TemplateVersion;
  to: Recipient | undefined;
  with: Trial | undefined;
  onClose: () => void;
}) => {
  const [begun] = useState({ to, trial: begin ?? nothing });
  const [chosen, choose] = useState(begun.to);
  const recipient = useNamed(chosen);
  const [trial, setTrial] = useState(begun.trial);
  const [isSure, ask] = useState(false);
  // What was wrong with another message is not said of this one. It stays the same request where its answer was lost.
  const [past, leave] = useState<Error | null>(null);
  const sent = useSentData();
  const send = useChange(
    api.send,
    ({ message_id, revision = 1 }) => sent.keep(message_id, revision, trial),
    ({ requestId }) => requestId !== undefined && sent.keepRefused(requestId, trial),
  );
  const { output, fields, findings, sender } = useDrawing(template, version, trial);
  const { isAgreed, question } = useMissing(findings);
  const isPossible = output !== undefined && recipient !== undefined && isAgreed;
  const error = send.error === past ? null : send.error;
  const isEntered = chosen !== begun.to || trial !== begun.trial;
  if (send.data && recipient)
    return <Sent id={send.data.message_id} recipient={recipient} onClose={onClose} />;
  const drawn = (
    <section className={styles.part} aria-label="The message">
      <h3>The message</h3>
      {output && <PreviewedMessage output={output} sender={sender} />}
      <Findings findings={findings} />
      {!isSure && question}
    </section>
  );
  if (isSure && recipient) {
    return (
      <FormDialog
        key="question"
        isQuestion
        title={`Send to ${recipient.label}?`}
        isEntered={isEntered}
        onClose={onClose}
        mutation={{ isPending: send.isPending, error }}
        submit="Send now"
        more={<Button onClick={() => ask(false)}>Back</Button>}
        onSubmit={() =>
          send.mutate({
            body: { template_id: template.id, ...bodyOfTrial(trial), ...recipient.destination },
          })
        }
      >
        <div className={styles.facts}>
          <p>{recipient.audience}</p>
          <Cost>A message that fails costs nothing.</Cost>
        </div>
        {drawn}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      wide
      title={`Send ${template.name}`}
      isEntered={isEntered}
      onClose={onClose}
      mutation={{ isPending: false, error }}
      submit="Send…"
      disabled={!isPossible}
      onSubmit={() => {
        leave(send.error);
        ask(true);
      }}
    >
      <p>Version {version.version_number}, which is live, is sent once you confirm it.</p>
      <div className={styles.parts}>
        <div className={styles.part}>
          <RecipientPicker
            chosen={recipient}
            onChoose={(next) => {
              choose(next);
              leave(send.error);
            }}
          />
          <DataRegion
            templateId={template.id}
            sample={version.sample_data}
            fields={fields}
            trial={trial}
            onChange={setTrial}
          />
        </div>
        {drawn}
      </div>
    </FormDialog>
  );
};

/** Sends the live version of a template to a channel or a person, after one confirmation. */
export const SendDialog = ({
  template,
  to,
  with: begin,
  onClose,
}: {
  template: TemplateAndLive;
  /** Where it goes unless another recipient is chosen. */
  to?: Recipient | undefined;
  /** The data to begin with. */
  with?: Trial | undefined;
  onClose: () => void;
}) => {
  // Another version may be live by now, and while the form is filled in: that one is sent, so that one is drawn.
  const input = { params: { id: template.id } };
  const latest = useRead(api.getTemplate, input, { staleMs: 0, everyMs: 5_000 }).data ?? template;
  const version = useVersion(template.id, latest.current_version?.id);
  const [shown, show] = useState<{ template: TemplateAndLive; version: TemplateVersion }>();
  if (version.data && version.data !== shown?.version) show({ template: latest, version: version.data });
  if (shown) return <Sending {...shown} to={to} with={begin} onClose={onClose} />;
  return (
    <Dialog title={`Send ${template.name}`} onClose={onClose}>
      <Answer read={version} lines={3}>
        {() => null}
      </Answer>
    </Dialog>
  );
};
