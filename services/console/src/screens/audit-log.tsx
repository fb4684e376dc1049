import type { AuditRecord } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useRead } from '../api/use-api.ts';
import { FilterDays, FilterSelect, FilterText } from '../shell/filter-fields.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { Json } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { Listing } from '../ui/listing.tsx';
import { Card, PageHead, Toolbar } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

const subjects = [
  'template',
  'modal',
  'queue',
  'destination',
  'scheduled_message',
  'chat_connection',
  'api_key',
  'user',
  'invitation',
  'organization',
  'entity',
  'sample_data',
] as const;

/** The days of two date fields as moments; the last day counts whole. */
const momentsOf = (from: string | undefined, to: string | undefined) => ({
  from: from && new Date(`${from}T00:00:00`).toISOString(),
  to: to && new Date(new Date(`${to}T00:00:00`).getTime() + 86_400_000).toISOString(),
});

const Filters = () => {
  return (
    <Toolbar label="Filter the audit log">
      <FilterSelect
        name="subject"
        label="Changed"
        options={[['', 'Anything'], ...subjects.map((it) => [it, it.replaceAll('_', ' ')] as const)]}
      />
      <FilterText name="action" label="Action" placeholder="template.activated" />
      <FilterSelect name="in" label="Environment" options={[['', 'Both'], 'production', 'preview']} />
      <FilterDays />
    </Toolbar>
  );
};

const actorOf = ({ actor }: AuditRecord): string => {
  const { type, id } = actor;
  return `${type.replaceAll('_', ' ')} ${id.slice(0, 8)}`;
};

const Change = ({ record, onClose }: { record: AuditRecord; onClose: () => void }) => (
  <Dialog title={record.action} onClose={onClose}>
    <Card>
      <Facts
        of={[
          ['Changed', `${record.subject.kind} ${record.subject.id}`],
          ['By', actorOf(record)],
          ['Environment', record.environment ?? 'both'],
          ['When', <Time key="when" at={record.created_at} exact />],
          ['Request', record.request_id],
        ]}
      />
      <Json label="Facts of the change" value={record.changes} />
    </Card>
  </Dialog>
);

/** Who changed what, in both environments. */
export const AuditLog = () => {
  const { given, offset, set } = useFilters();
  const { organization } = useActing();
  const [shown, show] = useState<AuditRecord>();
  const query = {
    offset,
    action: given('action'),
    subject_kind: given('subject'),
    environment: given('in'),
    ...momentsOf(given('from'), given('to')),
  };
  return (
    <>
      <PageHead title="Audit log">
        Who changed what in {organization.name}, in both environments. Lines are never changed or deleted.
      </PageHead>
      <Filters />
      <Listing<AuditRecord>
        label="Changes"
        asked={useRead(api.listAuditLog, { query })}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Action',
            cell: (record) => (
              <Button look="link" onClick={() => show(record)}>
                {record.action}
              </Button>
            ),
          },
          {
            title: 'Changed',
            cell: ({ subject }) => `${subject.kind.replaceAll('_', ' ')} ${subject.id.slice(0, 8)}`,
          },
          { title: 'By', cell: actorOf },
          { title: 'Environment', cell: ({ environment }) => environment ?? 'both' },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <Empty title="No change matches">Take a filter away, or choose an earlier day, to see more.</Empty>
        }
      />
      {shown && <Change record={shown} onClose={() => show(undefined)} />}
    </>
  );
};
