import { describe, expect, it } from '@jest/globals';
import { entityOf } from './entity.ts';
import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  columnsOf,
  integer,
  json,
  jsonb,
  microseconds,
  now,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  smallint,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from './table.ts';

const letters = table('letters', {
  columns: {
    ...tenant,
    id: uuid(),
    title: text(),
    kind: text<'long' | 'short'>(),
    pages: withDefault(integer(), 1),
    copies: smallint(),
    size: bigint(),
    is_sealed: boolean(),
    always: boolean<true>(),
    content: json<{ lines: string[] }>(),
    anything: nullable(json<unknown>()),
    changes: jsonb<Record<string, unknown>>(),
    seal: bytes(),
    tags: arrayOf(text()),
    written_at: withDefault(timestamp(), now),
    slot_at: microseconds(),
    note: nullable(text()),
    answer: nullable(text<'yes' | 'no'>()),
    read_at: nullable(timestamp()),
  },
  primaryKey: { name: 'letters_pk', columns: ofTenant('id') },
  foreignKeys: [partOf('letters', 'letters_reply', 'id')],
});

interface Letter {
  organization_id: string;
  environment: 'preview' | 'production';
  id: string;
  title: string;
  kind: 'long' | 'short';
  pages: number;
  copies: number;
  size: number;
  is_sealed: boolean;
  always: true;
  content: { lines: string[] };
  anything: unknown;
  changes: Record<string, unknown>;
  seal: Buffer;
  tags: string[];
  written_at: Date;
  slot_at: Date;
  note: string | null;
  answer: 'yes' | 'no' | null;
  read_at: Date | null;
}

/** True for one and the same type: optional and readonly fields, `unknown` and unions included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

describe('the description of a table', () => {
  it('gives its rows exactly the type that a hand would write', () => {
    const isSame: Same<RowOf<typeof letters>, Letter> = true;
    expect(isSame).toBe(true);
    const isOther: Same<RowOf<typeof letters>, Omit<Letter, 'note'> & { note: string }> = false;
    expect(isOther).toBe(false);
  });

  it('takes no name that is no column of it', () => {
    table('letters', {
      columns: { id: uuid(), title: text() },
      // @ts-expect-error the column is called id
      primaryKey: { columns: ['key'] },
      // @ts-expect-error the column is called title
      uniques: [{ name: 'letters_title', columns: ['titel'] }],
    });
    table('letters', {
      columns: { id: uuid(), title: text() },
      // @ts-expect-error the table has no tenant
      primaryKey: { columns: ofTenant('id') },
    });
    expect.assertions(0);
  });

  it('names its columns for a statement', () => {
    const notes = table('notes', {
      columns: { id: uuid(), body: text() },
      primaryKey: { columns: ['id'] },
    });
    expect(columnsOf(notes)).toBe('id, body');
    expect(columnsOf(notes, 'note')).toBe('note.id, note.body');
  });

  it('leaves a column that a trigger fills to the schema', () => {
    const drafts = table('drafts', {
      columns: { id: uuid() },
      filledColumns: { bytes: nullable(integer()) },
      primaryKey: { columns: ['id'] },
    });
    expect(columnsOf(drafts)).toBe('id');
    const { bytes } = Object(entityOf(drafts).options.columns);
    expect(bytes).toEqual({ type: 'integer', nullable: true, select: false, insert: false, update: false });
  });

  it('becomes an entity', () => {
    const { options } = entityOf(letters);
    expect(Object.keys(options.columns)).toEqual(Object.keys(letters.columns));
    expect(options.columns.id).toEqual({
      type: 'uuid',
      primary: true,
      primaryKeyConstraintName: 'letters_pk',
    });
    expect(options.columns.note).toEqual({ type: 'text', nullable: true });
    expect(options.columns.pages).toEqual({ type: 'integer', default: 1 });
    expect(options.columns.tags).toEqual({ type: 'text', array: true });
    expect(options.columns.written_at).toEqual({
      type: 'timestamptz',
      precision: 3,
      default: expect.any(Function),
    });
    expect(options.foreignKeys).toEqual([
      {
        name: 'letters_reply',
        target: 'letters',
        columnNames: ['organization_id', 'environment', 'id'],
        referencedColumnNames: ['organization_id', 'environment', 'id'],
        onDelete: 'CASCADE',
      },
    ]);
  });
});
