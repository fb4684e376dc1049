import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, so that their digits are one below the other. */
  isNumber?: boolean;
}

/** A table; on a narrow screen each row becomes a small card with the titles beside the values. */
export const Table = <Row extends object>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) => (
  <div className={styles.frame}>
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
              {title === '' ? <span className="visually-hidden">Actions</span> : title}
            </th>
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
