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

/** Milliseconds for which the proposer sees a refusal: a week. */
const declinedForMs = 7 * 86_400_000;

/** What of one's own was declined in the last week, and why: an open proposal goes from the list without a word. */
const useDeclined = (): readonly TemplateProposal[] => {
  const { isMe } = useAuthors();
  const [since] = useState(() => Date.now() - declinedForMs);
  const { data = [] } = useRead(api.listProposals, { query: { limit: 50 } }, { everyMs: 15_000 }).data ?? {};
  // What was proposed of a template since then says more.
  const latest = [...new Map(data.toReversed().map((one) => [one.template_id, one])).values()];
  return latest.filter(
    ({ status, proposed_by, key_id, decided_at }) =>
      status === 'declined' && key_id === null && isMe(proposed_by) && Date.parse(decided_at ?? '') > since,
  );
};

/** Proposals with a word on what they are; nothing where there is none. */
const Listed = ({
  title,
  about,
  label,
  rows,
  columns,
}: {
  title: string;
  about: string;
  label: string;
  rows: readonly TemplateProposal[];
  columns: readonly Column<TemplateProposal>[];
}) =>
  rows.length > 0 && (
    <div className={styles.proposals}>
      <Section title={title} about={about}>
        <Table label={label} rows={rows} rowKey={({ id }) => id} columns={[template, ...columns]} />
      </Section>
    </div>
  );

/** Versions that wait for a decision, and one's own that were declined. */
export const Proposals = () => {
  const proposerOf = useProposer();
  const { nameOf } = useAuthors();
  const open = useRead(api.listProposals, { query: { status: 'open', limit: 100 } }, { everyMs: 15_000 });
  return (
    <>
      <Listed
        title="Waiting for a decision"
        about="Versions that somebody proposes to make live. Nothing is live until a person accepts."
        label="Proposals"
        rows={open.data?.data ?? []}
        columns={[
          { title: 'Proposed by', cell: (proposal) => proposerOf(proposal) },
          { title: 'Note', cell: ({ note }) => <bdi>{note ?? '–'}</bdi> },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <Listed
        title="Declined"
        about="What you have proposed in the last week. Its versions stay, and can be mended."
        label="Declined proposals"
        rows={useDeclined()}
        columns={[
          { title: 'Declined by', cell: ({ decided_by }) => nameOf(decided_by ?? '') },
          { title: 'Why', cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
          { title: 'When', cell: ({ decided_at }) => <Time at={decided_at} /> },
        ]}
      />
    </>
  );
};
