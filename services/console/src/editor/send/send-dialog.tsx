import type { TemplateVersion } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call, useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Answer } from '../../ui/listing.tsx';
import { DataRegion, type Trial } from '../data/data-region.tsx';
import { type Finding, keyOf } from '../evaluation/findings.ts';
import { useEvaluation } from '../evaluation/use-evaluation.ts';
import { PreviewedMessage } from '../preview.tsx';
import { useRequestKey } from '../test-send/request-key.ts';
import { type TemplateAndLive, useVersion } from '../versions/api.ts';
import { RecipientPicker } from './recipient-picker.tsx';
import type { Recipient } from './recipients.ts';
import styles from './send.module.css';
import { useNamed } from './use-named.ts';

const nothing: Trial = { data: {}, locale: '', timezone: '' };

const Sent = ({ id, recipient, onClose }: { id: string; recipient: Recipient; onClose: () => void }) => (
  <Dialog title="The message is sent" onClose={onClose}>
    <p role="status">
      It went to {recipient.label}.{' '}
      <ScreenLink screen="messages" item={id}>
        See it in the log
      </ScreenLink>
    </p>
    <FormEnd>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </FormEnd>
  </Dialog>
);

const Findings = ({ findings }: { findings: readonly Finding[] }) =>
  findings.length > 0 && (
    <ul className={styles.findings} aria-label="Problems of the message">
      {findings.map((finding) => (
        <li key={keyOf(finding)}>{finding.message}</li>
      ))}
    </ul>
  );

/** What a message costs, and what is left, to those who may see it. */
const Cost = () => {
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
      {data && `; ${data.available.toLocaleString('en')} can be spent`}. A message that fails costs nothing.
    </p>
  );
};

const useSending = (template: TemplateAndLive, trial: Trial) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ destination }: Recipient) => {
      const body = {
        template_id: template.id,
        data: trial.data,
        ...(trial.locale !== '' && { locale: trial.locale }),
        ...(trial.timezone !== '' && { timezone: trial.timezone }),
        ...destination,
      };
      const headers = { 'Idempotency-Key': `console-${key.current()}` };
      return call(api.send, place, { body: JSON.parse(JSON.stringify(body)) }, { headers });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [place.organization, place.environment] }),
    onError: (error) => {
      // An answer that was lost belongs to the same request; any other one ends it.
      if (error instanceof ApiError && error.status !== 0) key.renew();
    },
  });
};

const Sending = ({
  template,
  version,
  to,
  onClose,
}: {
  template: TemplateAndLive;
  version: TemplateVersion;
  to: Recipient | undefined;
  onClose: () => void;
}) => {
  const [chosen, choose] = useState(to);
  const recipient = useNamed(chosen);
  const [trial, setTrial] = useState(nothing);
  const [isSure, ask] = useState(false);
  const send = useSending(template, trial);
  const { data, locale, timezone } = trial;
  const given = useMemo(
    () => ({
      blocks: version.blocks,
      data,
      strict: template.strict,
      ...(template.fallback_text !== null && { fallbackText: template.fallback_text }),
      ...((locale || template.locale) && { locale: locale || (template.locale ?? '') }),
      ...((timezone || template.timezone) && { timezone: timezone || (template.timezone ?? '') }),
    }),
    [version, data, template, locale, timezone],
  );
  const { evaluation } = useEvaluation(given);
  const [fields, keepFields] = useState(evaluation?.fields);
  if (evaluation?.fields !== undefined && evaluation.fields !== fields) keepFields(evaluation.fields);
  const findings = evaluation?.findings ?? [];
  const isPossible = evaluation?.output !== undefined && recipient !== undefined;
  const sender = {
    ...(template.user_name !== null && { username: template.user_name }),
    ...(template.icon_emoji !== null && { icon_emoji: template.icon_emoji }),
    locale: given.locale,
    timeZone: given.timezone,
  };
  if (send.data && recipient)
    return <Sent id={send.data.message_id} recipient={recipient} onClose={onClose} />;
  const drawn = (
    <section className={styles.part} aria-label="The message">
      <h3>The message</h3>
      {evaluation?.output && <PreviewedMessage output={evaluation.output} sender={sender} />}
      <Findings findings={findings} />
    </section>
  );
  if (isSure && recipient) {
    return (
      <FormDialog
        title={`Send to ${recipient.label}?`}
        onClose={onClose}
        asked={send}
        submit="Send now"
        more={<Button onClick={() => ask(false)}>Back</Button>}
        onSubmit={() => send.mutate(recipient)}
      >
        <div className={styles.facts}>
          <p>{recipient.audience}</p>
          <Cost />
        </div>
        {drawn}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      wide
      title={`Send ${template.name}`}
      onClose={onClose}
      asked={{ isPending: false, error: null }}
      submit="Send…"
      disabled={!isPossible}
      onSubmit={() => ask(true)}
    >
      <p>Version {version.version_number} is sent, which is live. Nothing is sent before you confirm it.</p>
      <div className={styles.parts}>
        <div className={styles.part}>
          <RecipientPicker chosen={recipient} onChoose={choose} />
          <DataRegion templateId={template.id} fields={fields} trial={trial} onChange={setTrial} />
        </div>
        {drawn}
      </div>
      <Problem error={send.error} />
    </FormDialog>
  );
};

/** Sends the live version of a template to a channel or a person, after one confirmation. */
export const SendDialog = ({
  template,
  to,
  onClose,
}: {
  template: TemplateAndLive;
  /** Where it goes unless another recipient is chosen. */
  to?: Recipient | undefined;
  onClose: () => void;
}) => {
  const version = useVersion(template.id, template.current_version?.id);
  if (version.data) return <Sending template={template} version={version.data} to={to} onClose={onClose} />;
  return (
    <Dialog title={`Send ${template.name}`} onClose={onClose}>
      <Answer asked={version} lines={3}>
        {() => null}
      </Answer>
    </Dialog>
  );
};
