import { type ErasureBefore, type ErasureStep, type Queryable, statement } from '@stanza/runtime';

/** Rows of one statement, which limits its duration on a long ledger. */
const atOnce = 2_000;

const forget = statement<ErasureStep>(
  'erase-ledger-actors',
  `with chosen as (
     select id, operation_id, item, kind, attempt,
       actor_id is not null or template_id is not null or message_id is not null or reason is not null as is_named,
       row_number() over (order by operation_id, item, kind, attempt) as place
     from credit_log
     where organization_id = $1 and (operation_id, item, kind, attempt) > ($2::uuid, $3::integer, $4, $5::integer)
     order by operation_id, item, kind, attempt
     limit ${atOnce}
   ), forgotten as (
     update credit_log
     set actor_id = null, template_id = null, message_id = null, reason = null
     from chosen
     where credit_log.id = chosen.id and is_named
     returning 1
   )
   select (select count(*) from chosen where is_named) as matching, (select count(*) from forgotten) as erased,
     (select array[operation_id::text, item::text, kind, attempt::text] from chosen where place = ${atOnce}) as last`,
);

/** Sorts before every row. */
const beginning = ['00000000-0000-0000-0000-000000000000', '-1', '', '-1'];

/** The ledger stays for the books, without people, reasons and templates. */
export const forgetActors: ErasureBefore = {
  tables: ['credit_log'],
  step: async (tx: Queryable, organizationId: string, after: string[] | null): Promise<ErasureStep> => {
    const [step] = await tx.query(forget, [organizationId, ...(after ?? beginning)]);
    return step ?? { matching: 0, erased: 0, last: null };
  },
};
