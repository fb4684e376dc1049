import { z } from 'zod';
import { httpOperation, internalOperation } from '../operation.ts';
import {
  creditBalance,
  creditKinds,
  creditLogEntry,
  creditOperations,
  usageGroup,
  usageGroupings,
  usageLimits,
  usageTotal,
} from '../resources/credits.ts';
import { beginsOnce, growingListOf, growingQuery, id, pageQuery, pagination } from '../resources/values.ts';
import { storedLimits } from '../tiers.ts';

const ofOrganization = z.strictObject({ organization_id: id });

/** Shows the credits of the caller's organization. */
export const getCredits = httpOperation({
  id: 'get-credits',
  service: 'organization',
  summary: "Read the organization's credit balance",
  method: 'GET',
  path: '/credits/{organization_id}',
  access: 'usage:read',
  params: ofOrganization,
  reply: creditBalance,
  errors: ['organization_not_found', 'credits_not_found'],
});

const utcDay = z.iso.date().describe('a UTC day');

const logFilter = {
  kind: z.enum(creditKinds).optional(),
  operation: z.enum(creditOperations).optional(),
  template_id: id.optional(),
  key_id: z.string().max(255).optional().describe('what this key or session paid'),
  day: utcDay.optional(),
};

/** Lists the ledger of the caller's organization. */
export const listCreditLog = httpOperation({
  id: 'list-credit-log',
  service: 'organization',
  summary: 'List what was granted, charged and given back, newest first',
  description:
    'The balance is the sum of all rows. Both environments draw on one account; each row names its own. A key of preview reads the rows of preview alone.',
  method: 'GET',
  path: '/credits/{organization_id}/logs',
  access: 'usage:read',
  params: ofOrganization,
  query: growingQuery.extend(logFilter).superRefine(beginsOnce),
  reply: growingListOf(creditLogEntry),
  legacyListKey: 'logs',
  errors: ['organization_not_found', 'credits_not_found'],
});

/** Days that one report of use may span. */
export const maxUsageDays = 92;

/** Shows what the caller's organization has used. */
export const getUsage = httpOperation({
  id: 'get-usage',
  service: 'organization',
  summary: 'Report use by day, operation, template or key',
  description: `From the ledger, both environments together; for a key of preview, what preview has used. Days are listed in order; other groups by credits, the most first. A report spans at most ${maxUsageDays} days.`,
  method: 'GET',
  path: '/usage',
  access: 'usage:read',
  query: pageQuery.extend({
    from: utcDay.optional().describe('the first UTC day; default: 30 days before the last'),
    to: utcDay.optional().describe('the last UTC day, which is part of the report; default: today'),
    group_by: z.enum(usageGroupings).default('day'),
  }),
  reply: z.object({
    from: utcDay,
    to: utcDay,
    group_by: z.enum(usageGroupings),
    total: usageTotal,
    data: z.array(usageGroup),
    pagination,
  }),
});

/** Shows what the tier of the caller's organization allows. */
export const getUsageLimits = httpOperation({
  id: 'get-usage-limits',
  service: 'organization',
  summary: 'Read the limits of the tier, and the remainder of each',
  method: 'GET',
  path: '/usage/limits',
  access: 'usage:read',
  reply: usageLimits,
  errors: ['credits_not_found'],
});

/** How many events an organization has pushed today. */
export const countDailyEvents = internalOperation({
  id: 'count-daily-events',
  service: 'queue-ingest',
  summary: 'Count the events of the UTC day',
  callers: ['organization'],
  input: z.object({ organization_id: id }),
  reply: z.object({ day: z.iso.date(), events: z.int() }),
  deadlineMs: 2_000,
});

/** How many templates and their like an organization stores. */
export const countStoredTemplates = internalOperation({
  id: 'count-stored-templates',
  service: 'template',
  readOnly: true,
  summary: 'Count what an organization stores in the template service',
  callers: ['organization'],
  input: z.object({ organization_id: id }),
  reply: z.object({
    templates: z.int(),
    modals: z.int(),
    entities: z.int(),
    sample_data: z.int(),
    bytes: z.int(),
  }),
  deadlineMs: 2_000,
});

/** How many destinations and active scheduled messages an organization has. */
export const countStoredTargets = internalOperation({
  id: 'count-stored-targets',
  service: 'delivery',
  readOnly: true,
  summary:
    'Count the destinations and active scheduled messages of an organization, and the bytes of their data',
  callers: ['organization'],
  input: z.object({ organization_id: id }),
  reply: z.object({ destinations: z.int(), scheduled_messages: z.int(), scheduled_data_bytes: z.int() }),
  deadlineMs: 2_000,
});

/** The ledger of any organization, for operators. */
export const showCreditLog = internalOperation({
  id: 'show-credit-log',
  service: 'organization',
  summary: 'List the ledger of an organization, newest first',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    ...logFilter,
    limit: z.int().min(1).max(1000).default(100),
    offset: z.int().min(0).default(0),
  }),
  reply: z.object({ entries: z.array(creditLogEntry), total: z.int() }),
  errors: ['organization_not_found'],
});

/**
 * What the tier of an organization allows it to store. Nothing answers it where the organization service is of the
 * version before.
 */
export const getStoredLimits = internalOperation({
  id: 'get-stored-limits',
  service: 'organization',
  readOnly: true,
  summary: 'Read what the tier of an organization allows it to store',
  callers: ['template', 'delivery'],
  input: z.object({ organization_id: id }),
  reply: storedLimits,
  errors: ['organization_not_found'],
});
