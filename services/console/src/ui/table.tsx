import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './table.module.css';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, so that their digits are one below the other. */
  isNumber?: boolean;
  /** What the API sorts by, in the direction that comes first: `-` is descending. */
  sort?: string;
}

/** The order of a table, as the API takes it. */
export interface Order {
  by: string;
  set: (by: string) => void;
}

const turned = (by: string): string => (by.startsWith('-') ? by.slice(1) : `-${by}`);

const Head = ({
  title,
  sort,
  isNumber,
  order,
}: Pick<Column<object>, 'title' | 'sort' | 'isNumber'> & { order: Order | undefined }) => {
  const of = isNumber ? styles.number : undefined;
  if (title === '')
    return (
      <th scope="col" className={of}>
        <span className="visually-hidden">Actions</span>
      </th>
    );
  if (sort === undefined || order === undefined)
    return (
      <th scope="col" className={of}>
        {title}
      </th>
    );
  const isChosen = order.by === sort || order.by === turned(sort);
  const isDown = (isChosen ? order.by : sort).startsWith('-');
  return (
    <th scope="col" className={of} aria-sort={isChosen ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => order.set(order.by === sort ? turned(sort) : sort)}
      >
        {title}
        <Icon sign={isDown ? 'down' : 'up'} />
      </button>
    </th>
  );
};

/** A table; on a narrow screen each row becomes a small card with the titles next to the values, unless it is dense. */
export const Table = <Row extends object>({
  label,
  columns,
  rows,
  rowKey,
  order,
  isDense = false,
  isWaiting = false,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  order?: Order | undefined;
  /** Its few short values stay in rows on a narrow screen. */
  isDense?: boolean;
  /** Other rows are on their way. */
  isWaiting?: boolean;
}) => (
  <div className={styles.frame} aria-busy={isWaiting || undefined}>
    <table className={`${styles.table} ${isDense ? styles.dense : styles.cards}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.title} {...column} order={order} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} data-title={title} className={isNumber ? styles.number : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
