import type { TemplateProposal } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { FormEnd } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Time } from '../../ui/time.tsx';
import styles from '../versions/versions.module.css';
import { useProposer } from './proposer.tsx';

/** Who proposes what, and why. */
export const ProposalWords = ({ proposal }: { proposal: TemplateProposal }) => {
  const proposerOf = useProposer();
  const { note, created_at, version_number } = proposal;
  return (
    <div className={styles.part}>
      <p>
        Version {version_number} is proposed by {proposerOf(proposal)}, <Time at={created_at} />.
      </p>
      {note && <blockquote className={styles.quote}>{note}</blockquote>}
    </div>
  );
};

/** Declines a proposal with a reason, which its proposer reads. */
export const Decline = ({
  proposal,
  onDone,
  onBack,
}: {
  proposal: TemplateProposal;
  onDone: () => void;
  /** Leads back to the decision. */
  onBack: () => void;
}) => {
  const [reason, setReason] = useState('');
  const declining = useChange(api.declineProposal, onDone);
  const params = { id: proposal.template_id, proposal_id: proposal.id };
  return (
    <Form onSubmit={() => declining.mutate({ params, body: { reason: reason.trim() } })}>
      <TextField
        label="Reason"
        autoFocus
        required
        maxLength={500}
        value={reason}
        hint="Whoever proposed it reads this. The version stays, and can be proposed again."
        onChange={({ target }) => setReason(target.value)}
      />
      <FormEnd error={<Problem error={declining.error} />}>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="danger" busy={declining.isPending} disabled={reason.trim() === ''}>
          Decline
        </Button>
      </FormEnd>
    </Form>
  );
};
