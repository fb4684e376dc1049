import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { Button } from './button.tsx';
import styles from './listing.module.css';
import { Empty, Failure, Loading, NotUpToDate } from './states.tsx';
import { type Column, type Order, Table } from './table.tsx';
import { useIsModalOpen } from './use-modal.ts';

/** A page of a list, as the API answers it. */
export interface Page<Row> {
  data: readonly Row[];
  pagination: { offset: number; limit: number; total: number };
}

/** A question to the API as the list shows it. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
  /** It is the answer to the question before; this one is on its way. */
  isPlaceholderData?: boolean;
}

/** An answer is shown with the names in it: they take other lines than ids, and would move what is below. */
export const withNames = <T,>(read: Read<T>, areLoading: boolean): Read<T> =>
  areLoading ? { ...read, data: undefined } : read;

/** Whether what was answered before still stands where asking again failed: it may not be seen any more only where that was the answer. */
export const isKept = ({ data, error }: Pick<Read<unknown>, 'data' | 'error'>): boolean =>
  data !== undefined && error instanceof ApiError && (error.status === 0 || error.status >= 429);

/** Shows an answer, or that it is on its way, or why there is none. */
export const Answer = <T,>({
  read,
  lines,
  keeps = false,
  isPage = false,
  children,
}: {
  read: Read<T>;
  lines?: number;
  /** Something is written in it, which stays whatever is answered later. */
  keeps?: boolean;
  /** All of the page, with its title, is in it. */
  isPage?: boolean;
  children: (data: T) => ReactNode;
}) => {
  const { data, error } = read;
  // A form above the page would go with what has opened it.
  const isOpen = useIsModalOpen();
  const stays = data !== undefined && (keeps || isOpen);
  const retry = (): void => void read.refetch();
  if (error !== null && !stays && !isKept(read))
    return <Failure error={error} onRetry={retry} isPage={isPage} />;
  if (data === undefined) return <Loading {...(lines === undefined ? {} : { lines })} />;
  return (
    <>
      {error !== null && <NotUpToDate error={error} onRetry={retry} />}
      {children(data)}
    </>
  );
};

const rangeOf = ({ data, pagination: { offset, total } }: Page<object>): string =>
  `${offset + 1}–${offset + data.length} of ${total}`;

const Paging = ({
  page: { data, pagination },
  onOffset,
}: {
  page: Page<object>;
  onOffset: (offset: number) => void;
}) => {
  const { offset, limit, total } = pagination;
  const last = offset + data.length;
  return (
    <nav className={styles.paging} aria-label="Pages">
      <span>{rangeOf({ data, pagination })}</span>
      {total > limit && (
        <>
          <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
            Previous
          </Button>
          <Button disabled={last >= total} onClick={() => onOffset(offset + limit)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
};

/** Stands where the rows of a later page are gone: the last of them was taken away, or the address is old. */
const BeyondEnd = ({
  pagination: { limit, total },
  onOffset,
}: {
  pagination: Page<object>['pagination'];
  onOffset: (offset: number) => void;
}) => (
  <Empty
    title="This page has no rows any more"
    action={
      <Button onClick={() => onOffset(Math.max(0, Math.ceil(total / limit) - 1) * limit)}>
        Go to the last page
      </Button>
    }
  >
    The list has become shorter.
  </Empty>
);

/** Says what came of another question, for those who do not see the rows change; nothing of what comes by itself. */
const Answered = ({ page, isWaiting }: { page: Page<object> | undefined; isWaiting: boolean }) => {
  const [said, say] = useState('');
  const waits = 'Loading';
  if (isWaiting && said !== waits) say(waits);
  if (!isWaiting && said === waits && page) say(page.data.length > 0 ? rangeOf(page) : 'No rows');
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
};

/** A list of the API in all of its states. */
export const Listing = <Row extends object>({
  label,
  read,
  columns,
  rowKey,
  empty,
  onOffset,
  order,
  isFiltered = false,
}: {
  label: string;
  read: Read<Page<Row>>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Stands where the list has nothing. */
  empty: ReactNode;
  onOffset: (offset: number) => void;
  /** Where the API sorts the list by columns of it. */
  order?: Order;
  /** Filters are set, so that a list without rows may still have some. */
  isFiltered?: boolean;
}) => {
  const isWaiting = read.isPlaceholderData === true;
  return (
    <>
      <Answered page={read.data} isWaiting={isWaiting} />
      <Answer read={read} lines={6}>
        {(page) => {
          if (page.data.length > 0) {
            return (
              <>
                <Table
                  label={label}
                  columns={columns}
                  rows={page.data}
                  rowKey={rowKey}
                  order={order}
                  isWaiting={isWaiting}
                />
                <Paging page={page} onOffset={onOffset} />
              </>
            );
          }
          if (page.pagination.offset > 0) return <BeyondEnd {...page} onOffset={onOffset} />;
          return isFiltered ? <Empty title="Nothing matches">Take a filter away to see more.</Empty> : empty;
        }}
      </Answer>
    </>
  );
};
