import type { TemplateProposal } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../editor.module.css';
import { useProposer } from './proposer.tsx';

/** Open proposals of the template, each with the way to decide about it. */
export const ProposalsNotice = ({
  templateId,
  onLook,
}: {
  templateId: string;
  onLook: (proposal: TemplateProposal) => void;
}) => {
  const proposerOf = useProposer();
  const open = useRead(
    api.listTemplateProposals,
    { params: { id: templateId }, query: { status: 'open' } },
    { everyMs: 15_000 },
  );
  return open.data?.data.map((proposal) => (
    <div key={proposal.id} className={styles.restored} role="status">
      <span>
        Version {proposal.version_number} is proposed by {proposerOf(proposal)}.
      </span>
      <Button onClick={() => onLook(proposal)}>Look at version {proposal.version_number}</Button>
    </div>
  ));
};
