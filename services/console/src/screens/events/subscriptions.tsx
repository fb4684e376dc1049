import type { EventSubscription } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useDestinations } from '../../shell/whole-lists.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Problem } from '../../ui/form.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { SubscriptionDialog } from './subscription-dialog.tsx';

const Actions = ({
  subscription,
  name,
  onChange,
}: {
  subscription: EventSubscription;
  /** What buttons of several rows are told apart by. */
  name: string;
  onChange: () => void;
}) => {
  const { id, is_active } = subscription;
  const updating = useChange(api.updateEventSubscription);
  const deleting = useChange(api.deleteEventSubscription);
  return (
    <>
      <Button look="quiet" aria-label={`Change ${name}`} onClick={onChange}>
        Change
      </Button>
      <Button
        look="quiet"
        busy={updating.isPending}
        aria-label={`${is_active ? 'Switch off' : 'Switch on'} ${name}`}
        onClick={() => updating.mutate({ params: { id }, body: { is_active: !is_active } })}
      >
        {is_active ? 'Switch off' : 'Switch on'}
      </Button>
      <ConfirmButton
        label="Delete"
        name={`Delete ${name}`}
        title="Delete the subscription?"
        act={() => deleting.mutateAsync({ params: { id } })}
        change={deleting}
      >
        Its destination is told of no more events. Deliveries that wait are delivered all the same.
      </ConfirmButton>
      <Problem error={updating.error} />
    </>
  );
};

/** Which events are told to which destination. */
export const Subscriptions = () => {
  const [offset, setOffset] = useState(0);
  const [asking, ask] = useState<EventSubscription | 'new'>();
  const mayWrite = useMay('destinations:write');
  const destinations = useDestinations();
  const nameOf = (id: string): string =>
    destinations.data?.find((destination) => destination.id === id)?.name ?? `${id.slice(0, 8)}…`;
  return (
    <Section
      title="Subscriptions"
      about="Systems of yours are told when something happens in this environment, each time by a signed request."
      actions={
        <Allowed scope="destinations:write" to="to subscribe a destination">
          <Button onClick={() => ask('new')}>New subscription</Button>
        </Allowed>
      }
    >
      <Listing<EventSubscription>
        label="Subscriptions"
        read={useRead(api.listEventSubscriptions, { query: { offset } })}
        rowKey={({ id }) => id}
        onOffset={setOffset}
        columns={[
          {
            title: 'Destination',
            cell: ({ destination_id, description }) => (
              <>
                <ScreenLink screen="destinations" item={destination_id}>
                  {nameOf(destination_id)}
                </ScreenLink>
                {description && <div>{description}</div>}
              </>
            ),
          },
          { title: 'Gets', cell: ({ types }) => types.join(', ') },
          { title: 'State', cell: ({ is_active }) => <StateBadge state={is_active ? 'on' : 'off'} /> },
          { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
          {
            title: '',
            cell: (subscription) =>
              mayWrite && (
                <Actions
                  subscription={subscription}
                  name={
                    subscription.description ||
                    `${nameOf(subscription.destination_id)}, ${subscription.types.join(', ')}`
                  }
                  onChange={() => ask(subscription)}
                />
              ),
          },
        ]}
        empty={
          <Empty
            title="No subscription"
            action={mayWrite && <Button onClick={() => ask('new')}>Subscribe a destination</Button>}
          >
            Nobody is told. Subscribe a destination, and it gets each failed message, for one, within seconds.
          </Empty>
        }
      />
      {asking !== undefined && (
        <SubscriptionDialog
          subscription={asking === 'new' ? undefined : asking}
          onClose={() => ask(undefined)}
        />
      )}
    </Section>
  );
};
