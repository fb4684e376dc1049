import type { Delivery } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed } from '../../shell/allowed.tsx';
import { FilterSelect } from '../../shell/filter-fields.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Section, Toolbar } from '../../ui/page.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { momentText, Time } from '../../ui/time.tsx';
import { withArticle } from '../../ui/words.ts';

const statuses = ['waiting', 'delivered', 'failed', 'unknown'] as const;

const outcomes: Readonly<Record<Delivery['attempts'][number]['outcome'], string>> = {
  delivered: 'delivered',
  refused: 'refused by the destination',
  not_sent: 'nothing was sent',
  lost: 'sent, and no answer came',
  begun: 'under way',
};

/** One delivery with its attempts; one that failed can be tried again. */
export const DeliveryDialog = ({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) => {
  const retrying = useChange(api.retryDelivery, onClose);
  const params = { id: delivery.destination_id, delivery_id: delivery.id };
  const canRetry =
    delivery.origin !== 'test' && (delivery.status === 'failed' || delivery.status === 'unknown');
  return (
    <Dialog title={`Delivery of ${withArticle(delivery.origin)}`} wide onClose={onClose}>
      <Form onSubmit={() => retrying.mutate({ params })}>
        <p>
          <StateBadge state={delivery.status} /> {delivery.error !== undefined && reasonOf(delivery.error)}
        </p>
        <Table
          label="Attempts"
          rows={delivery.attempts}
          rowKey={({ number }) => String(number)}
          columns={[
            { title: 'Attempt', cell: ({ number }) => number, isNumber: true },
            {
              title: 'Outcome',
              cell: ({ outcome, error }) =>
                [outcomes[outcome], ...(error === undefined ? [] : [reasonOf(error)])].join(': '),
            },
            { title: 'Status', cell: ({ http_status }) => http_status ?? '–', isNumber: true },
            {
              title: 'Took',
              cell: ({ latency_ms }) => (latency_ms === undefined ? '–' : `${latency_ms} ms`),
              isNumber: true,
            },
            { title: 'Answer', cell: ({ response }) => (response ? <code>{response}</code> : '–') },
            { title: 'When', cell: ({ started_at }) => <Time at={started_at} exact /> },
          ]}
        />
        <Problem error={retrying.error} />
        {canRetry && (
          <Allowed scope="destinations:write" to="to retry it">
            <FormEnd>
              <Button type="submit" look="primary" busy={retrying.isPending}>
                Retry
              </Button>
            </FormEnd>
          </Allowed>
        )}
      </Form>
    </Dialog>
  );
};

/** What went to a destination, the newest first. */
export const Deliveries = ({ destination }: { destination: string }) => {
  const { given, isSet, offset, set } = useFilters();
  const [chosen, show] = useState<Delivery>();
  const input = { params: { id: destination }, query: { offset, status: given('status') } };
  const read = useRead(api.listDeliveries, input, { everyMs: 5_000 });
  // As it stands now; one that newer ones have moved off the page stays as it was.
  const shown = read.data?.data.find(({ id }) => id === chosen?.id) ?? chosen;
  return (
    <Section title="Deliveries" about="Each with its attempts. One that failed is kept, and can be retried.">
      <Toolbar label="Filter deliveries">
        <FilterSelect name="status" label="Outcome" options={[['', 'Every outcome'], ...statuses]} />
      </Toolbar>
      <Listing<Delivery>
        label="Deliveries"
        read={read}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        isFiltered={isSet('status')}
        columns={[
          {
            title: 'Made for',
            cell: (delivery) => (
              <Button
                look="link"
                aria-label={`${withArticle(delivery.origin)}, ${momentText(delivery.created_at)}`}
                onClick={() => show(delivery)}
              >
                {withArticle(delivery.origin)}
              </Button>
            ),
          },
          { title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts.length, isNumber: true },
          { title: 'Next attempt', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={<Empty title="No delivery">What goes to this address shows up here.</Empty>}
      />
      {shown && <DeliveryDialog delivery={shown} onClose={() => show(undefined)} />}
    </Section>
  );
};
