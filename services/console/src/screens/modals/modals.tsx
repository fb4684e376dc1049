import type { ModalSummary } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { NewModal } from '../../editor/making/new-modal.tsx';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { FilterText } from '../../shell/filter-fields.tsx';
import { FilterOrder, useOrder } from '../../shell/order.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Listing } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Forms that buttons of messages open. */
export const Modals = () => {
  const { given, offset, set } = useFilters();
  const order = useOrder();
  const [isMaking, make] = useState(false);
  const mayWrite = useMay('modals:write');
  return (
    <>
      <PageHead
        title="Modals"
        actions={
          <Allowed scope="modals:write" to="to write a modal">
            <Button look="primary" onClick={() => make(true)}>
              New modal
            </Button>
          </Allowed>
        }
      >
        Forms that a button of a message opens. Write them here, or let a program create them.
      </PageHead>
      <Toolbar label="Filter modals">
        <FilterText name="q" label="Name" />
        <FilterOrder />
      </Toolbar>
      <Listing<ModalSummary>
        label="Modals"
        read={useRead(api.listModals, { query: { offset, q: given('q'), sort: order.by } })}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        order={order}
        columns={[
          {
            title: 'Name',
            sort: 'name',
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
          { title: 'Changed', sort: '-updated_at', cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          given('q') === undefined ? (
            <Empty
              title="No modal"
              action={mayWrite && <Button onClick={() => make(true)}>Write the first modal</Button>}
            >
              A modal asks people for something: why an order is refunded, how a meeting went.
            </Empty>
          ) : (
            <Empty title="No modal matches">Search for another part of the name.</Empty>
          )
        }
      />
      {isMaking && <NewModal onClose={() => make(false)} />}
    </>
  );
};
