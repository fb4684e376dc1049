import type { ModalSummary } from '@stanza/contracts';
import { api } from '../api/operations.ts';
import { useRead } from '../api/use-api.ts';
import { FilterText } from '../shell/filter-fields.tsx';
import { ScreenLink } from '../shell/screen-link.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { StateBadge } from '../ui/badge.tsx';
import { Listing } from '../ui/listing.tsx';
import { PageHead, Toolbar } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

/** Forms that buttons of messages open. */
export const Modals = () => {
  const { given, offset, set } = useFilters();
  return (
    <>
      <PageHead title="Modals">
        Forms that a button of a message opens. A program creates them (<code>POST /v1/modals</code>); here
        you see them drawn, and choose which version is live.
      </PageHead>
      <Toolbar label="Filter modals">
        <FilterText name="q" label="Name" />
      </Toolbar>
      <Listing<ModalSummary>
        label="Modals"
        asked={useRead(api.listModals, { query: { offset, q: given('q') } })}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Name',
            cell: ({ id, name }) => (
              <ScreenLink screen="modals" item={id}>
                {name}
              </ScreenLink>
            ),
          },
          { title: 'Title', cell: ({ title }) => title },
          { title: 'Steps', cell: ({ steps }) => steps?.length ?? 1, isNumber: true },
          {
            title: 'State',
            cell: ({ current_version_id }) => (
              <StateBadge state={current_version_id === null ? 'draft' : 'live'} />
            ),
          },
          { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          given('q') === undefined ? (
            <Empty title="No modal">
              A modal asks people for something: why an order is refunded, how a meeting went. The page on
              modals in the documentation shows how a program makes one.
            </Empty>
          ) : (
            <Empty title="No modal matches">Search for another part of the name.</Empty>
          )
        }
      />
    </>
  );
};
