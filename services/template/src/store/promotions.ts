import { statement, type Tenant, type Transaction } from '@stanza/runtime';

const lockEnvironment = statement<Record<string, never>>(
  'promotion-lock',
  "select pg_advisory_xact_lock(hashtextextended('promotions to ' || $1 || $2, 0))",
);

/** Waits for other promotions to an environment, and keeps them waiting until the transaction ends. */
export const lockPromotions = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
): Promise<void> => {
  await tx.query(lockEnvironment, [organizationId, environment]);
};

const sampleCount = statement<{ total: number }>(
  'promotion-samples',
  `select count(*) as total
   from sample_data
   where organization_id = $1 and environment = $2 and template_id = any ($3::uuid[])`,
);

/** Counts the sample data of templates. */
export const samplesToPromote = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  templateIds: readonly string[],
): Promise<number> => {
  const [counted] = await tx.query(sampleCount, [organizationId, environment, templateIds]);
  return counted?.total ?? 0;
};

const contentBytes = statement<{ bytes: number }>(
  'promotion-bytes',
  `select
     (
       select coalesce(sum(octet_length(blocks::text) + coalesce(octet_length(sample_data::text), 0)), 0)
       from templates as template
       join versions as version
         on version.organization_id = template.organization_id
         and version.environment = template.environment
         and version.template_id = template.id
         and version.version_number = coalesce(template.current_version_number, template.last_version_number)
       where template.organization_id = $1 and template.environment = $2 and template.id = any ($3::uuid[])
     ) + (
       select coalesce(sum(octet_length(data::text)), 0)
       from sample_data
       where organization_id = $1 and environment = $2 and template_id = any ($3::uuid[])
     ) as bytes`,
);

/** Bytes that a promotion of templates copies: of their live versions, else the newest, and of their sample data. */
export const bytesToPromote = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  templateIds: readonly string[],
): Promise<number> => {
  const [counted] = await tx.query(contentBytes, [organizationId, environment, templateIds]);
  return counted?.bytes ?? 0;
};
