import type { TemplateProposal } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useProposer } from '../../editor/proposals/proposer.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './templates.module.css';

/** Versions that wait for somebody to make them live or to decline; nothing where none does. */
export const OpenProposals = () => {
  const { place } = useActing();
  const proposerOf = useProposer();
  const asked = useRead(api.listProposals, { query: { status: 'open', limit: 25 } }, { everyMs: 15_000 });
  const proposals = asked.data?.data ?? [];
  if (proposals.length === 0) return null;
  return (
    <div className={styles.proposals}>
      <Section
        title="Waiting for a decision"
        about="Versions that somebody proposes to make live. Nothing is live until a person accepts."
      >
        <Table<TemplateProposal>
          label="Proposals"
          rows={proposals}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Template',
              cell: ({ id, template_id, template_name, version_number }) => (
                <Link
                  to="/$organization/$environment/templates/$template"
                  params={{ ...place, template: template_id }}
                  search={{ proposal: id }}
                >
                  <bdi>{template_name}</bdi>, version {version_number}
                </Link>
              ),
            },
            { title: 'Proposed by', cell: (proposal) => proposerOf(proposal) },
            { title: 'Note', cell: ({ note }) => <bdi>{note ?? '–'}</bdi> },
            { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      </Section>
    </div>
  );
};
