import type pg from 'pg';

/**
 * Bugs put into the database of a run, as though the code had them, to see that the invariants notice. The program
 * itself has no switch for any of them.
 */
export const plants = {
  'drop-outbox-row': `
    create function queue_ingest.plant() returns trigger language plpgsql as $plant$
    begin
      -- Every third batch, and again whenever it is published anew.
      if abs(hashtext(new.payload ->> 'batch_id')) % 3 = 0 then return null; end if;
      return new;
    end $plant$;
    create trigger plant before insert on queue_ingest.outbox
      for each row execute function queue_ingest.plant();`,
  'skip-unique-index': `
    create function gateway.plant() returns trigger language plpgsql as $plant$
    begin
      -- No two keys are ever the same.
      new.key := new.key || new.operation_id;
      return new;
    end $plant$;
    create trigger plant before insert on gateway.idempotency_records
      for each row execute function gateway.plant();`,
  'settle-twice': `
    create function organization.plant() returns trigger language plpgsql security definer as $plant$
    begin
      insert into organization.credit_log (id, organization_id, kind, amount, operation_id, item, environment,
        operation, template_id, message_id, actor_id)
      values (gen_random_uuid(), new.organization_id, 'charge', new.amount, new.operation_id, new.item + 1000,
        new.environment, new.operation, new.template_id, new.message_id, new.actor_id);
      update organization.credit_accounts set balance = balance + new.amount
      where organization_id = new.organization_id;
      return null;
    end $plant$;
    create trigger plant after insert on organization.credit_log
      for each row when (new.kind = 'charge' and new.operation <> 'compile' and new.item < 1000)
      execute function organization.plant();`,
} as const;

/** Name of a bug that can be planted. */
export type PlantName = keyof typeof plants;

/** Names of all of them. */
export const plantNames = [
  'drop-outbox-row',
  'skip-unique-index',
  'settle-twice',
] as const satisfies readonly PlantName[];

/** The invariant, by its number, that has to notice each: another one that happens to break proves nothing. */
export const noticedBy: Record<PlantName, number> = {
  'drop-outbox-row': 1,
  'skip-unique-index': 2,
  'settle-twice': 4,
};

/** Puts a bug in. */
export const plant = async (database: pg.Pool, name: PlantName): Promise<void> => {
  await database.query(plants[name]);
};
