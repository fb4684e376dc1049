import type { Interaction } from '@stanza/contracts';
import { useId, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useChatNames } from '../../shell/chat-names.ts';
import { FilterSelect, FilterText } from '../../shell/filter-fields.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { peopleChoices, personFilter, targetName } from '../../shell/target-names.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Section, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Answers } from './answers.tsx';
import { deedOf, hasAnswers } from './click-words.ts';

const kinds = [
  ['', 'Everything'],
  ['block_actions', 'Clicks and choices'],
  ['view_submission', 'Submitted forms'],
] as const;

const actionNames: Readonly<Record<Interaction['actions'][number]['type'], string>> = {
  open_modal: 'open a modal',
  call_destination: 'call a destination',
  update_message: 'update the message',
};

const Actions = ({ actions }: Pick<Interaction, 'actions'>) =>
  actions.length === 0 ? (
    'nothing'
  ) : (
    <ul>
      {actions.map(({ type, status, error, modal_id, destination_id, delivery_id }) => (
        <li key={`${type} ${modal_id} ${destination_id} ${delivery_id}`}>
          {destination_id === undefined ? (
            actionNames[type]
          ) : (
            <ScreenLink screen="destinations" item={destination_id}>
              {actionNames[type]}
            </ScreenLink>
          )}{' '}
          <StateBadge state={status} /> {error}
        </li>
      ))}
    </ul>
  );

const Deed = ({ interaction, rows }: { interaction: Interaction; rows: readonly Interaction[] }) => {
  const [isOpen, open] = useState(false);
  const deed = deedOf(interaction);
  if (!hasAnswers(interaction)) return deed;
  const opener = rows.find(({ id }) => id === interaction.opened_by);
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{deed}</summary>
      {isOpen && <Answers interaction={interaction} opener={opener} />}
    </details>
  );
};

/** What people clicked and submitted in messages, and what came of it. */
export const Clicks = () => {
  const { given, isSet, offset, set } = useFilters();
  const list = useId();
  const known = useChatNames(true, [given('person')]);
  const person = personFilter(given('person'), known);
  const query = { offset, kind: given('kind'), user_id: person, message_id: given('message') };
  const enabled = given('person') === undefined || !known.areLoading;
  const read = useRead(api.listInteractions, { query }, { enabled, everyMs: 5_000 });
  const sought = read.data?.data.flatMap(({ user_id, channel }) => [user_id, channel]) ?? [];
  const names = useChatNames(true, [given('person'), ...sought]);
  return (
    <Section title="In messages" about="Each use of a button, a menu or a form, and what it set off.">
      <Toolbar label="Filter what people did">
        <FilterSelect name="kind" label="Kind" options={kinds} />
        <FilterText name="person" label="Person" placeholder="Name or id" list={list} />
        <datalist id={list}>
          {peopleChoices(names).map((it) => (
            <option key={it} value={it} />
          ))}
        </datalist>
        {given('message') && (
          <Button onClick={() => set({ message: '' })}>Of one message: show those of all</Button>
        )}
      </Toolbar>
      <Listing<Interaction>
        label="In messages"
        read={read}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Person',
            cell: ({ user_name, user_id }) =>
              names.people.find(({ id }) => id === user_id)?.name ?? user_name ?? user_id,
          },
          {
            title: 'Did',
            cell: (interaction) => <Deed interaction={interaction} rows={read.data?.data ?? []} />,
          },
          {
            title: 'Message',
            cell: ({ message_id, channel }) => (
              <ScreenLink screen="messages" item={message_id}>
                in {targetName({ channel_id: channel }, names)}
              </ScreenLink>
            ),
          },
          { title: 'Led to', cell: ({ actions }) => <Actions actions={actions} /> },
          {
            title: 'Outcome',
            cell: ({ status }) =>
              status === 'open' ? <Badge tone="accent">under way</Badge> : <StateBadge state={status} />,
          },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        isFiltered={isSet('kind', 'person', 'message')}
        empty={
          <Empty title="Nobody has used anything yet">
            A button, a menu or a form of a message shows up here once somebody has used it.
          </Empty>
        }
      />
    </Section>
  );
};
