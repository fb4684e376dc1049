import type { TemplateProposal } from '@stanza/contracts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../editor.module.css';
import { useAuthors } from '../use-authors.ts';
import { useRefresh } from '../versions/api.ts';
import { useProposer } from './proposer.tsx';

/** Reads the template anew once a proposal is decided: another version may be live. */
const useDecided = (open: string | undefined): void => {
  const refresh = useRefresh();
  const before = useRef(open);
  const onChange = useEffectEvent(refresh);
  useEffect(() => {
    const isDecided = before.current?.split(' ').some((id) => open !== undefined && !open.includes(id));
    before.current = open;
    if (isDecided) void onChange();
  }, [open]);
};

/** Open proposals of the template, each with the way to decide about it, and why the newest version was declined. */
export const ProposalsNotice = ({
  templateId,
  newestId,
  onLook,
}: {
  templateId: string;
  newestId: string | undefined;
  onLook: (proposal: TemplateProposal) => void;
}) => {
  const proposerOf = useProposer();
  const { nameOf } = useAuthors();
  const { data } = useRead(
    api.listTemplateProposals,
    { params: { id: templateId }, query: {} },
    { everyMs: 15_000 },
  );
  const proposals = data?.data;
  const open = proposals?.filter(({ status }) => status === 'open');
  const [latest] = proposals ?? [];
  useDecided(open?.map(({ id }) => id).join(' '));
  return (
    <>
      {open?.map((proposal) => (
        <div key={proposal.id} className={styles.restored} role="status">
          <span>
            Version {proposal.version_number} is proposed by {proposerOf(proposal)}.
          </span>
          <Button onClick={() => onLook(proposal)}>Look at version {proposal.version_number}</Button>
        </div>
      ))}
      {latest?.status === 'declined' && latest.version_id === newestId && (
        <div className={styles.restored} role="status">
          <span>
            Version {latest.version_number} was declined by {nameOf(latest.decided_by ?? '')}: “
            {latest.reason}”
          </span>
        </div>
      )}
    </>
  );
};
