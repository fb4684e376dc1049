import type { Message } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { FilterSelect, FilterText } from '../../shell/filter-fields.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Listing } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';

const statuses = ['accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted'] as const;

/** Where a message went, in a word. */
export const targetOf = ({
  channel_id,
  recipient_email,
  recipient_chat_id,
}: {
  [form in 'channel_id' | 'recipient_email' | 'recipient_chat_id']?: string | null | undefined;
}): string => channel_id ?? recipient_email ?? recipient_chat_id ?? '–';

const Filters = () => {
  const { templates } = useTemplates();
  return (
    <Toolbar label="Filter messages">
      <FilterSelect
        name="template"
        label="Template"
        options={[['', 'Every template'], ...templates.map(({ id, name }) => [id, name] as const)]}
      />
      <FilterSelect name="status" label="Outcome" options={[['', 'Every outcome'], ...statuses]} />
      <FilterText name="key" label="Idempotency key" placeholder="As the caller gave it" />
    </Toolbar>
  );
};

/** The log of messages, the newest first; it follows what is sent meanwhile. */
export const Messages = () => {
  const { given, offset, set } = useFilters();
  const { nameOf } = useTemplates();
  const query = {
    offset,
    template_id: given('template'),
    status: given('status'),
    idempotency_key: given('key'),
  };
  const asked = useRead(api.listMessages, { query }, { everyMs: 5_000 });
  const isFiltered = Boolean(query.template_id ?? query.status ?? query.idempotency_key);
  return (
    <>
      <PageHead title="Messages">
        Every message that was sent from this environment, and what became of it. The list follows new ones by
        itself.
      </PageHead>
      <Filters />
      <Listing<Message>
        label="Messages"
        asked={asked}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Template',
            cell: ({ id, template_id, version_number, test }) => (
              <span>
                <ScreenLink screen="messages" item={id}>
                  {template_id === null ? 'Blocks' : nameOf(template_id)}
                </ScreenLink>{' '}
                · {version_number === null ? 'draft' : `version ${version_number}`}
                {test && ' · test'}
              </span>
            ),
          },
          { title: 'To', cell: ({ destination }) => targetOf(destination) },
          { title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts.length, isNumber: true },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          isFiltered ? (
            <Empty title="No message matches">Take a filter away to see more.</Empty>
          ) : (
            <Empty
              title="No message yet"
              action={<ScreenLink screen="templates">Go to the templates</ScreenLink>}
            >
              Messages appear here as soon as a program, a queue or a schedule sends one.
            </Empty>
          )
        }
      />
    </>
  );
};
