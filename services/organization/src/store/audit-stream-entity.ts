import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';

/** How far the audit log has been streamed out. */
export interface AuditStream {
  name: string;
  /** Of the last line. */
  recorded_at: Date;
  line_id: string;
  /** While a process writes lines out. */
  leased_until: Date | null;
}

/** See {@link AuditStream}. */
export const auditStreamEntity = new EntitySchema<AuditStream>({
  name: 'audit_streams',
  columns: {
    name: { type: 'text', primary: true, primaryKeyConstraintName: 'audit_streams_pk' },
    recorded_at: timestamp,
    line_id: { type: 'uuid' },
    leased_until: { ...timestamp, nullable: true },
  },
});
