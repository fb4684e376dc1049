import type { Delivery, Destination, SigningSecret } from '@stanza/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { DestinationForm } from '../../editor/making/destination-form.tsx';
import { Allowed } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../ui/words.ts';
import { Deliveries, DeliveryDialog } from './deliveries.tsx';
import { DestinationState } from './destinations.tsx';

const Actions = ({ destination }: { destination: Destination }) => {
  const { place } = useActing();
  const navigate = useNavigate();
  const [tried, showTried] = useState<Delivery>();
  const [isEditing, edit] = useState(false);
  const params = { id: destination.id };
  const testing = useChange(api.testDestination, ({ delivery }) => showTried(delivery));
  const updating = useChange(api.updateDestination);
  const deleting = useChange(api.deleteDestination, () => {
    void navigate({
      to: '/$organization/$environment/$screen',
      params: { ...place, screen: 'destinations' },
    });
  });
  return (
    <Allowed scope="destinations:write" to="to change this destination">
      <Button look="primary" busy={testing.isPending} onClick={() => testing.mutate({ params, body: {} })}>
        Send a test
      </Button>
      <Button onClick={() => edit(true)}>Edit…</Button>
      <Button
        busy={updating.isPending}
        onClick={() => updating.mutate({ params, body: { is_active: !destination.is_active } })}
      >
        {destination.is_active ? 'Switch off' : 'Switch on'}
      </Button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${destination.name}?`}
        act={() => deleting.mutateAsync({ params })}
        change={deleting}
      >
        Its deliveries go with it: those that failed cannot be retried any more, and what still waits is given
        up. It is refused while a queue delivers to it.
      </ConfirmButton>
      <Problem error={testing.error ?? updating.error} />
      {isEditing && <DestinationForm destination={destination} onClose={() => edit(false)} />}
      {tried && <DeliveryDialog delivery={tried} onClose={() => showTried(undefined)} />}
    </Allowed>
  );
};

const Secret = ({ destination }: { destination: Destination }) => {
  const [secret, show] = useState<SigningSecret>();
  const params = { id: destination.id };
  const reading = useChange(api.getSigningSecret, show);
  const rotating = useChange(api.rotateSigningSecret, show);
  return (
    <Section
      title="Signing secret"
      about="Deliveries are signed with it (Standard Webhooks), so that your system can tell that they come from here."
      actions={
        <Allowed scope="destinations:write" to="to see the secret">
          <Button busy={reading.isPending} onClick={() => reading.mutate({ params })}>
            Show
          </Button>
          <ConfirmButton
            label="Rotate"
            look="plain"
            title="Make a new secret?"
            act={() => rotating.mutateAsync({ params })}
            change={rotating}
          >
            For 24 hours deliveries are signed with both, so that your system can change over.
          </ConfirmButton>
        </Allowed>
      }
    >
      <Problem error={reading.error} />
      {secret && (
        <Card>
          <Copyable label="Signing secret" text={secret.secret} />
          {secret.previous_secret && (
            <p>
              The one before signs as well, until <Time at={secret.previous_valid_until} exact />.
            </p>
          )}
        </Card>
      )}
    </Section>
  );
};

const retriesOf = ({ retry_enabled, max_retries, retry_strategy }: Destination): string =>
  retry_enabled ? `${counted(max_retries, 'more attempt')}, ${retry_strategy} delays` : 'one attempt alone';

/** One destination: its settings, its secret and its deliveries. */
export const DestinationScreen = ({ id }: { id: string }) => (
  <Answer isPage read={useRead(api.getDestination, { params: { id } })}>
    {(destination) => (
      <>
        <PageHead
          title={destination.name}
          above={<ScreenLink screen="destinations">Destinations</ScreenLink>}
          actions={<Actions destination={destination} />}
        >
          {destination.description}
        </PageHead>
        <Card>
          <Facts
            of={[
              ['State', <DestinationState key="state" destination={destination} />],
              ['Address', `${destination.method} ${destination.url}`],
              ['Headers', Object.keys(destination.headers).join(', ') || 'none of your own'],
              ['Retries', retriesOf(destination)],
              ['Waits for an answer', `${destination.timeout_ms / 1_000} s`],
              ['Failures in a row', destination.consecutive_failures],
              [
                'Switched off',
                destination.disabled_at && <Time key="off" at={destination.disabled_at} exact />,
              ],
            ]}
          />
        </Card>
        <Secret destination={destination} />
        <Deliveries destination={destination.id} />
      </>
    )}
  </Answer>
);
