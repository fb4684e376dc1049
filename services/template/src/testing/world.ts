import { checkBlocks } from '@stanza/compile/check-blocks';
import { checkViews } from '@stanza/compile/check-views';
import { runWhole } from '@stanza/compile/runs';
import {
  type AuditEntry,
  auditEntrySchema,
  defaultTiers,
  getOrganizationStatus,
  type Principal,
  type StoredLimits,
} from '@stanza/contracts';
import { type AnyHandler, type Clock, handle, systemClock } from '@stanza/runtime';
import { type InProcessRpc, inProcessRpc, testDatabase } from '@stanza/test-kit/database';
import { ask, keptOutbox, type Rows, rowsIn } from '@stanza/test-kit/service-world';
import type { Dependencies } from '../dependencies.ts';
import { createTemplate } from '../operations/create-template.ts';
import { entities } from '../store/entities.ts';

/** A clock whose date advances a second at each reading; deadlines are on the clock of the process. */
const tickingClock = (): Clock => {
  let now = Date.parse('2026-11-21T08:00:00.000Z');
  const tick = () => {
    now += 1_000;
    return now;
  };
  return { now: () => new Date(tick()), monotonic: systemClock.monotonic };
};

/** The parts of the service on a database of its own. */
export interface World extends Dependencies {
  rpc: InProcessRpc;
  /** What organizations may store where it is not what pro allows. */
  allowanceOf: Map<string, StoredLimits>;
  /** For the test's own statements. */
  rows: Rows;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** Answers for the organization service: organizations are active, and no policy of theirs is on. */
export const plainOrganization = handle(getOrganizationStatus, async () => ({ status: 'active' as const }));

/** The checks of the compile service. */
export const checks = [checkBlocks, checkViews].map((check) => check({ run: runWhole, clock: systemClock }));

/** Opens a world in which the given handlers answer for other services, next to the checks of the compile service. */
export const openWorld = async (others: readonly AnyHandler[] = []): Promise<World> => {
  const made = await testDatabase('template', { entities });
  const allowanceOf = new Map<string, StoredLimits>();
  return {
    database: made.database,
    reports: made.database,
    url: made.url,
    ownerUrl: made.ownerUrl,
    outbox: keptOutbox('template'),
    // The first one of an operation answers.
    rpc: inProcessRpc([...others, ...checks, plainOrganization]),
    clock: tickingClock(),
    allowances: { of: async (organizationId) => allowanceOf.get(organizationId) ?? defaultTiers.pro.stored },
    allowanceOf,
    rows: rowsIn(made.database),
    close: made.drop,
  };
};

export { ask, somebody, strangersTo } from '@stanza/test-kit/service-world';

/** A message that reads one value. */
export const greeting = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];

/** An appearance of a template in which every setting is given. */
export const fullAppearance = {
  user_name: 'Greeter',
  icon_emoji: ':wave:',
  fallback_text: 'Hello {{name}}',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  strict: true,
};

/** Creates a template with one version. */
export const newTemplate = (world: World, principal: Principal, body: object = {}) =>
  ask(
    createTemplate(world),
    {
      body: { name: 'Greeting', type: 'message', blocks: greeting, ...body },
    },
    principal,
  );

/** The audit entries handed over for an organization, in order. */
export const recordedAudit = async (world: World, { organization_id }: Principal): Promise<AuditEntry[]> => {
  const rows = await world.rows<{ payload: unknown }>(
    `select payload
     from outbox
     where subject = 'work.organization.record-audit'
       and payload ->> 'organization_id' = $1
     order by id`,
    [organization_id],
  );
  return rows.map((row) => auditEntrySchema.parse(row.payload));
};
