import type { TemplateProposal } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useProposer } from '../../editor/proposals/proposer.tsx';
import { useAuthors } from '../../editor/use-authors.ts';
import { Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './templates.module.css';

const Where = ({
  of: { id, template_id, template_name, version_number, status },
}: {
  of: TemplateProposal;
}) => (
  <Link
    to="/$organization/$environment/templates/$template"
    params={{ ...useActing().place, template: template_id }}
    search={status === 'open' ? { proposal: id } : {}}
  >
    <bdi>{template_name}</bdi>, version {version_number}
  </Link>
);

const template: Column<TemplateProposal> = {
  title: 'Template',
  cell: (proposal) => <Where of={proposal} />,
};

/** Milliseconds for which a refusal is shown to whoever proposed: nobody looks for longer than a week. */
const toldForMs = 7 * 86_400_000;

/** What of one's own was declined in the last week, and why: an open proposal goes from the list without a word. */
const useDeclined = (): readonly TemplateProposal[] => {
  const { isMe } = useAuthors();
  const [since] = useState(() => Date.now() - toldForMs);
  const { data = [] } = useRead(api.listProposals, { query: { limit: 50 } }, { everyMs: 15_000 }).data ?? {};
  // What was proposed of a template since then says more.
  const latest = [...new Map(data.toReversed().map((one) => [one.template_id, one])).values()];
  return latest.filter(
    ({ status, proposed_by, key_id, decided_at }) =>
      status === 'declined' && key_id === null && isMe(proposed_by) && Date.parse(decided_at ?? '') > since,
  );
};

/** Versions that wait for somebody to make them live or to decline, and what was declined of one's own. */
export const Proposals = () => {
  const proposerOf = useProposer();
  const { nameOf } = useAuthors();
  const asked = useRead(api.listProposals, { query: { status: 'open', limit: 25 } }, { everyMs: 15_000 });
  const open = asked.data?.data ?? [];
  const declined = useDeclined();
  return (
    <>
      {open.length > 0 && (
        <div className={styles.proposals}>
          <Section
            title="Waiting for a decision"
            about="Versions that somebody proposes to make live. Nothing is live until a person accepts."
          >
            <Table<TemplateProposal>
              label="Proposals"
              rows={open}
              rowKey={({ id }) => id}
              columns={[
                template,
                { title: 'Proposed by', cell: (proposal) => proposerOf(proposal) },
                { title: 'Note', cell: ({ note }) => <bdi>{note ?? '–'}</bdi> },
                { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
              ]}
            />
          </Section>
        </div>
      )}
      {declined.length > 0 && (
        <div className={styles.proposals}>
          <Section
            title="Declined"
            about="What you have proposed in the last week. Its versions stay, and can be mended."
          >
            <Table<TemplateProposal>
              label="Declined proposals"
              rows={declined}
              rowKey={({ id }) => id}
              columns={[
                template,
                { title: 'Declined by', cell: ({ decided_by }) => nameOf(decided_by ?? '') },
                { title: 'Why', cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
                { title: 'When', cell: ({ decided_at }) => <Time at={decided_at} /> },
              ]}
            />
          </Section>
        </div>
      )}
    </>
  );
};
