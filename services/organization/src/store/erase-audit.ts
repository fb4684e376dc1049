import { type ErasureBefore, type ErasureStep, type Queryable, statement } from '@stanza/runtime';

/** Rows of one statement, which limits its duration on a long log. */
const atOnce = 2_000;

const erase = statement<{ erased: number }>('audit-log-erase', 'select erase_audit($1, $2) as erased');

/** The entries of a deleted organization go by a function of the database: the service's role deletes none itself. */
export const eraseAudit: ErasureBefore = {
  tables: ['audit_log'],
  step: async (tx: Queryable, organizationId: string): Promise<ErasureStep> => {
    const [step] = await tx.query(erase, [organizationId, atOnce]);
    const erased = step?.erased ?? 0;
    return { matching: erased, erased, last: null };
  },
};
