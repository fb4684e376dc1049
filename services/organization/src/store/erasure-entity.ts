import type { ErasingService } from '@stanza/contracts';
import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';

/** What a service has done about a deleted organization. */
export interface Erasure {
  organization_id: string;
  service: ErasingService;
  requested_at: Date;
  erased_at: Date | null;
  erased_rows: number | null;
}

/** See {@link Erasure}. */
export const erasureEntity = new EntitySchema<Erasure>({
  name: 'erasures',
  columns: {
    organization_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'erasures_pk' },
    service: { type: 'text', primary: true, primaryKeyConstraintName: 'erasures_pk' },
    requested_at: timestamp,
    erased_at: { ...timestamp, nullable: true },
    erased_rows: { type: 'bigint', nullable: true },
  },
  foreignKeys: [
    {
      name: 'erasures_organization',
      target: 'organizations',
      columnNames: ['organization_id'],
      referencedColumnNames: ['id'],
    },
  ],
});
