import type { AuditRecord } from '@stanza/contracts';
import { auditActions } from '@stanza/contracts/audit-actions';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useRead } from '../api/use-api.ts';
import { FilterDays, FilterSelect } from '../shell/filter-fields.tsx';
import { momentsOf } from '../shell/moments.ts';
import { ScreenLink } from '../shell/screen-link.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { Listing, withNames } from '../ui/listing.tsx';
import { Card, PageHead, Toolbar } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { momentText, Time } from '../ui/time.tsx';
import { Values } from '../ui/values.tsx';
import { AuditSubject, useAuditNames } from './audit-log-names.tsx';
import { actionName, actionOptions, actorName, changeFacts, deedOf, kindName } from './audit-log-words.ts';

const Filters = () => {
  const { given, set } = useFilters();
  const action = given('action');
  const actions = actionOptions(given('subject'));
  const isListed = action === undefined || actions.some(([it]) => it === action);
  return (
    <Toolbar label="Filter the audit log">
      <FilterSelect
        name="subject"
        label="Changed"
        options={[['', 'Anything'], ...Object.keys(auditActions).map((it) => [it, kindName(it)] as const)]}
        onChange={({ target }) => set({ subject: target.value, action: '' })}
      />
      <FilterSelect
        name="action"
        label="Action"
        options={[
          ['', 'Every action'],
          ...(isListed ? [] : [[action, actionName(action)] as const]),
          ...actions,
        ]}
      />
      <FilterSelect name="in" label="Environment" options={[['', 'Both'], 'production', 'preview']} />
      <FilterDays />
    </Toolbar>
  );
};

const Change = ({
  record,
  names,
  onClose,
}: {
  record: AuditRecord;
  names: ReadonlyMap<string, string>;
  onClose: () => void;
}) => (
  <Dialog title={deedOf(record)} onClose={onClose}>
    <Card>
      <Facts
        of={[
          ['Changed', <AuditSubject key="changed" record={record} names={names} />],
          ['By', actorName(record.actor, names)],
          ['Id', <code key="id">{record.subject.id}</code>],
          ['Id of who did it', <code key="actor">{record.actor.id}</code>],
          ['Environment', record.environment ?? 'both'],
          ['When', <Time key="when" at={record.created_at} exact="seconds" />],
          ['Request', record.request_id],
        ]}
      />
      {Object.keys(record.changes).length > 0 && (
        <Values label="Facts of the change" of={changeFacts(record.changes)} />
      )}
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
  const read = useRead(api.listAuditLog, { query });
  const { names, areLoading } = useAuditNames(read.data?.data ?? []);
  return (
    <>
      <PageHead title="Audit log">
        Who changed what in {organization.name}, in both environments. Lines are never changed or deleted. Who
        sent or updated a message is in its revisions, in the{' '}
        <ScreenLink screen="messages">log of messages</ScreenLink>.
      </PageHead>
      <Filters />
      <Listing<AuditRecord>
        label="Changes"
        read={withNames(read, areLoading)}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Action',
            cell: (record) => (
              <Button
                look="link"
                aria-label={`${deedOf(record)}, ${momentText(record.created_at)}`}
                onClick={() => show(record)}
              >
                {deedOf(record)}
              </Button>
            ),
          },
          { title: 'Changed', cell: (record) => <AuditSubject record={record} names={names} /> },
          { title: 'By', cell: ({ actor }) => actorName(actor, names) },
          { title: 'Environment', cell: ({ environment }) => environment ?? 'both' },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <Empty title="No change matches">Take a filter away, or choose an earlier day, to see more.</Empty>
        }
      />
      {shown && <Change record={shown} names={names} onClose={() => show(undefined)} />}
    </>
  );
};
