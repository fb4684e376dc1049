import type { PublicEvent } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { FilterSelect } from '../../shell/filter-fields.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Json } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Section, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { momentText, Time } from '../../ui/time.tsx';
import { eventTypeIn, eventTypeNames, eventTypes } from './event-types.ts';

const options = [['', 'Every event'], ...eventTypeNames.map((type) => [type, type] as const)] as const;

/** What was recorded for the subscriptions, newest first. */
export const RecentEvents = () => {
  const { given } = useFilters();
  const [shown, show] = useState<PublicEvent>();
  const type = eventTypeIn(given('type'));
  // A page of one kind of event is no page of another: each kind begins at its newest.
  const [pages, setPages] = useState<{ of: typeof type; cursors: readonly string[] }>();
  const cursors = pages?.of === type ? (pages?.cursors ?? []) : [];
  const setCursors = (next: readonly string[]): void => setPages({ of: type, cursors: next });
  const query = { type, cursor: cursors.at(-1), count: 25 };
  const read = useRead(api.listEvents, { query });
  return (
    <Section
      title="Recent events"
      about="What was recorded for the subscriptions. Without a subscription to its type an event is not recorded."
    >
      <Toolbar label="Filter recent events">
        <FilterSelect name="type" label="Event" options={options} />
      </Toolbar>
      <Answer read={read} lines={3}>
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <Empty title="Nothing was recorded">
              An event shows up here once it has happened while a subscription took its type.
            </Empty>
          ) : (
            <>
              <Table<PublicEvent>
                label="Recent events"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    title: 'Event',
                    cell: (event) => (
                      <Button
                        look="link"
                        aria-label={`${event.type}, ${momentText(event.created_at)}`}
                        onClick={() => show(event)}
                      >
                        {event.type}
                      </Button>
                    ),
                  },
                  { title: 'What happened', cell: (event) => eventTypes[event.type] },
                  { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
              />
              <div>
                {cursors.length > 0 && (
                  <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>
                )}
                {next_cursor !== null && (
                  <Button onClick={() => setCursors([...cursors, next_cursor])}>Older</Button>
                )}
              </div>
            </>
          )
        }
      </Answer>
      {shown && (
        <Dialog title={shown.type} onClose={() => show(undefined)}>
          <Json label="The event, as it is delivered" value={shown} />
        </Dialog>
      )}
    </Section>
  );
};
