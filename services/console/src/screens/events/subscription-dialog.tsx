import type { EventSubscription, PublicEventType } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useDestinations } from '../../shell/whole-lists.ts';
import { ChoiceList } from '../../ui/choice-list.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

import { eventTypeNames, eventTypes } from './event-types.ts';

/** What a subscription is made of, as the form has it. */
interface Draft {
  destination_id: string;
  types: readonly PublicEventType[];
  description: string;
}

const TypeChoice = ({
  chosen,
  onChoose,
}: {
  chosen: readonly PublicEventType[];
  onChoose: (types: readonly PublicEventType[]) => void;
}) => (
  <ChoiceList
    legend="Events that it gets"
    search="Search events"
    choices={eventTypeNames.map((type) => [type, <code key={type}>{type}</code>, eventTypes[type]] as const)}
    isChosen={(type) => chosen.includes(type)}
    onChoose={(type, isChosen) =>
      // In the order of the list, not of the clicks.
      onChoose(eventTypeNames.filter((it) => (it === type ? isChosen : chosen.includes(it))))
    }
  />
);

const beginning = (subscription: EventSubscription | undefined, destination: string): Draft => ({
  destination_id: subscription?.destination_id ?? destination,
  types: subscription?.types ?? ['message.failed', 'message.unknown'],
  description: subscription?.description ?? '',
});

/** Asks which events go where: a new subscription, or the change of one. */
export const SubscriptionDialog = ({
  subscription,
  onClose,
}: {
  /** Undefined for a new one. */
  subscription?: EventSubscription | undefined;
  onClose: () => void;
}) => {
  const destinations = useDestinations();
  const [begun] = useState(() => beginning(subscription, ''));
  const [draft, setDraft] = useState(begun);
  const creating = useChange(api.createEventSubscription, onClose);
  const updating = useChange(api.updateEventSubscription, onClose);
  const known = destinations.data ?? [];
  const destination_id = draft.destination_id || (known[0]?.id ?? '');
  const body = { destination_id, types: [...draft.types], description: draft.description };
  const save = (): void => {
    if (subscription === undefined) creating.mutate({ body });
    else updating.mutate({ params: { id: subscription.id }, body });
  };
  return (
    <FormDialog
      title={subscription === undefined ? 'New subscription' : 'Change the subscription'}
      isEntered={draft !== begun}
      onClose={onClose}
      mutation={subscription === undefined ? creating : updating}
      submit={subscription === undefined ? 'Subscribe' : 'Save'}
      disabled={destination_id === '' || draft.types.length === 0}
      onSubmit={save}
    >
      {destinations.data && known.length === 0 ? (
        <p>
          There is no destination yet. <ScreenLink screen="destinations">Add the address</ScreenLink> of a
          system of yours first.
        </p>
      ) : (
        <SelectField
          label="Destination"
          hint="Each event is one signed request to its address."
          value={destination_id}
          options={known.map(({ id, name }) => [id, name] as const)}
          onChange={({ target }) => setDraft({ ...draft, destination_id: target.value })}
        />
      )}
      <TypeChoice chosen={draft.types} onChoose={(types) => setDraft({ ...draft, types })} />
      <TextField
        label="Description"
        hint="What it is for; may be left out"
        value={draft.description}
        onChange={({ target }) => setDraft({ ...draft, description: target.value })}
      />
    </FormDialog>
  );
};
