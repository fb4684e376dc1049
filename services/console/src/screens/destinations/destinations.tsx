import type { Destination } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { DestinationForm } from '../../editor/making/destination-form.tsx';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { FilterOrder, useOrder } from '../../shell/order.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Listing } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Whether deliveries go out, in words. */
export const DestinationState = ({ destination }: { destination: Destination }) => {
  if (destination.disabled_at !== undefined) return <Badge tone="bad">switched off after failures</Badge>;
  if (!destination.is_active) return <Badge>switched off</Badge>;
  return destination.breaker === 'closed' ? (
    <Badge tone="good">on</Badge>
  ) : (
    <Badge tone="notice">left alone for a moment</Badge>
  );
};

/** Addresses outside that get events and clicks. */
export const Destinations = () => {
  const { offset, set } = useFilters();
  const order = useOrder();
  const [isMaking, make] = useState(false);
  const mayWrite = useMay('destinations:write');
  const newDestination = (
    <Allowed scope="destinations:write" to="to create a destination">
      <Button look="primary" onClick={() => make(true)}>
        New destination
      </Button>
    </Allowed>
  );
  return (
    <>
      <PageHead title="Destinations" actions={newDestination}>
        Addresses of your own systems. Clicks in messages and digests of queues are delivered to them, signed.
      </PageHead>
      <Toolbar label="Sort destinations">
        <FilterOrder />
      </Toolbar>
      <Listing<Destination>
        label="Destinations"
        read={useRead(api.listDestinations, { query: { offset, sort: order.by } })}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        order={order}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <ScreenLink screen="destinations" item={id}>
                {name}
              </ScreenLink>
            ),
          },
          {
            title: 'Address',
            cell: ({ method, url }) => (
              <code title={url}>
                {method} {url}
              </code>
            ),
          },
          { title: 'State', cell: (destination) => <DestinationState destination={destination} /> },
          {
            title: 'Failures in a row',
            cell: ({ consecutive_failures }) => consecutive_failures,
            isNumber: true,
          },
          { title: 'Changed', sort: '-updated_at', cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          <Empty
            title="No destination"
            action={mayWrite && <Button onClick={() => make(true)}>Create the first destination</Button>}
          >
            Name the address of a system of yours, and buttons of messages can call it.
          </Empty>
        }
      />
      {isMaking && <DestinationForm onClose={() => make(false)} />}
    </>
  );
};
