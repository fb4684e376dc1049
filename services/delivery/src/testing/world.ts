import {
  defaultTiers,
  type InputOf,
  jobSubjectOf,
  type Principal,
  recordAudit,
  type StoredLimits,
  sendBulk as sendBulkDeclaration,
  type sendTemplate as sendTemplateDeclaration,
  settleReservation,
} from '@stanza/contracts';
import {
  createLogger,
  createMetrics,
  type Database,
  encryptionKeys,
  newContext,
  noTracing,
} from '@stanza/runtime';
import { type PresentedMessage, type Sandbox, defaultApp as sandboxApp, startSandbox } from '@stanza/sandbox';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import type { DatabaseTime } from '@stanza/test-kit/database-time';
import { askLoosely as ask, keptOutbox, type Rows, rowsIn, somebody } from '@stanza/test-kit/service-world';
import ipaddr from 'ipaddr.js';
import { v7 as uuidv7 } from 'uuid';
import { createDependencies, type Dependencies } from '../dependencies.ts';
import type { DestinationSettings } from '../destinations/dependencies.ts';
import type { MessageRow } from '../messages/message-tables.ts';
import { putChatConnection } from '../operations/put-chat-connection.ts';
import { sendBulk } from '../operations/send-bulk.ts';
import { sendTemplate } from '../operations/send-template.ts';
import { entities } from '../store/entities.ts';
import { JumpingClock } from './jumping-clock.ts';
import { OtherServices } from './services.ts';

/** How the platform is told to misbehave; it refuses what makes no sense. */
export interface Misbehaviour {
  method: string;
  mode: string;
  value?: number | string;
  channel?: string;
  times?: number;
}

/** A settlement that waits in the outbox. */
export interface Settlement {
  operation_id: string;
  items: { item: number; charged: boolean; credit_log_id: string; message_id: string }[];
}

/** The service on a database of its own, next to a chat platform of its own. */
export interface World extends Dependencies {
  clock: JumpingClock;
  others: OtherServices;
  /** What organizations may store where it is not what pro allows. */
  allowanceOf: Map<string, StoredLimits>;
  sandbox: Sandbox;
  /** Every line that was logged so far. */
  logged: () => string;
  /** For statements of the test's own. */
  rows: Rows;
  ownerUrl: string;
  /** The database without the clock of a process. */
  realDatabase: Database;
  databaseTime: DatabaseTime;
  misbehave: (fault: Misbehaviour) => Promise<void>;
  /** Messages that the platform accepted for a key. */
  posts: (key: string) => Promise<PresentedMessage[]>;
  /** Messages that the platform accepted in a channel. */
  postsIn: (channel: string) => Promise<PresentedMessage[]>;
  close: () => Promise<void>;
}

/** 32 bytes each; the first is current. */
export const testKeys = `k2:${Buffer.alloc(32, 2).toString('base64')},k1:${Buffer.alloc(32, 1).toString('base64')}`;

const control = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}: ${text}`);
  return JSON.parse(text);
};

/** Receivers of tests are on this machine; the deliveries of a test may fail five times in a row. */
export const destinationSettings: DestinationSettings = {
  STANZA_DESTINATION_NAME_SERVERS: [],
  STANZA_DESTINATION_ALLOW: { ranges: [ipaddr.parseCIDR('127.0.0.1/32')], hosts: new Set() },
  STANZA_DESTINATION_DENY: new Set<string>(),
  STANZA_DESTINATION_PORTS: new Set([80, 443]),
  STANZA_DESTINATION_TEST_HOSTS: new Set(['127.0.0.1']),
  STANZA_DESTINATION_DISABLE_AFTER: 5,
};

/** The app that the sandbox knows. */
const testApp = {
  STANZA_CHAT_CLIENT_ID: sandboxApp.clientId,
  STANZA_CHAT_CLIENT_SECRET: sandboxApp.clientSecret,
  STANZA_CHAT_REDIRECT_URL: 'http://127.0.0.1:8787/v1/chat/oauth/callback',
  STANZA_CHAT_SCOPES: ['chat:write', 'im:write'],
};

const dependenciesOn = (
  made: Pick<TestDatabase, 'database'>,
  databaseTime: DatabaseTime,
  apiUrl: string,
  keys: string,
  app: Partial<typeof testApp> = testApp,
  breakerMs = 5_000,
) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const others = new OtherServices();
  const clock = new JumpingClock();
  const allowanceOf = new Map<string, StoredLimits>();
  const database = databaseTime.follow(made.database, () => ({ aheadMs: clock.ahead }));
  const dependencies = createDependencies({
    database,
    reports: database,
    outbox: keptOutbox('delivery'),
    rpc: others,
    clock,
    log: createLogger({ name: 'delivery', level: 'trace', destination }),
    metrics: createMetrics({ service: 'delivery', processMetrics: false }),
    tracing: noTracing,
    allowances: { of: async (organizationId) => allowanceOf.get(organizationId) ?? defaultTiers.pro.stored },
    settings: {
      ...{ STANZA_CHAT_SCOPES: [], ...app },
      STANZA_CHAT_API_URL: apiUrl,
      STANZA_CHAT_BREAKER_MS: breakerMs,
      STANZA_MESSAGE_DAYS: 90,
      STANZA_ENCRYPTION_KEYS: encryptionKeys.parse(keys),
      ...destinationSettings,
    },
  });
  return { ...dependencies, others, allowanceOf, clock, logged: () => lines.join('') };
};

/** Another process of the service on the same database, for instance one with other keys or another platform. */
export const anotherProcess = (
  world: World,
  options: { apiUrl?: string; keys?: string; app?: Partial<typeof testApp>; breakerMs?: number } = {},
): Dependencies & { others: OtherServices; clock: JumpingClock } => {
  const { apiUrl = `${world.sandbox.url}/api/`, keys = testKeys, app, breakerMs } = options;
  return dependenciesOn({ database: world.realDatabase }, world.databaseTime, apiUrl, keys, app, breakerMs);
};

/** Opens a world. */
export const openWorld = async (): Promise<World> => {
  const made = await testDatabase('delivery', { entities, clock: 'jumps' });
  const sandbox = await startSandbox();
  const messages = (): Promise<PresentedMessage[]> => control(`${sandbox.url}/control/messages`);
  const dependencies = dependenciesOn(made, made.time, `${sandbox.url}/api/`, testKeys);
  return {
    ...dependencies,
    sandbox,
    ownerUrl: made.ownerUrl,
    realDatabase: made.database,
    databaseTime: made.time,
    rows: rowsIn(made.database),
    misbehave: async (fault) => {
      await control(`${sandbox.url}/control/faults`, { method: 'POST', body: JSON.stringify(fault) });
    },
    posts: async (key) => (await messages()).filter((message) => message.key === key),
    postsIn: async (channel) => (await messages()).filter((message) => message.channel === channel),
    close: async () => {
      await dependencies.retriedWithdrawals.finish();
      await dependencies.chat.close();
      dependencies.destinations.breakers.close();
      await sandbox.close();
      await made.drop();
    },
  };
};

export { askLoosely as ask, somebody } from '@stanza/test-kit/service-world';

/** Milliseconds for a send that is meant to meet a platform which says nothing. */
export const shortDeadlineMs = 3_000;

/** Someone whose environment is connected to a workspace of its own. */
export const connected = async (
  world: Dependencies,
  options: Partial<Principal> = {},
): Promise<Principal> => {
  const principal = somebody(options);
  const { organization_id, environment } = principal;
  const bot_token = `xoxb-sandbox-${organization_id}`;
  await ask(putChatConnection(world), { organization_id, environment, bot_token });
  return principal;
};

let lastChannel = 1_000;

/** A channel that no other test of the file posts to. */
export const newChannel = (): string => {
  lastChannel += 1;
  return `C${lastChannel}`;
};

/** Someone who sends to a channel of their own. */
export interface Sender {
  principal: Principal;
  channel: string;
}

/** Opens someone whose new organization is connected, with a channel. */
export const newSender = async (world: Dependencies): Promise<Sender> => ({
  principal: await connected(world),
  channel: newChannel(),
});

/** The body of a send. */
export type SendBody = Partial<InputOf<typeof sendTemplateDeclaration>['body']>;

/** Sends a message; to a channel of its own unless the body names a recipient. */
export const send = (
  world: Dependencies,
  principal: Principal,
  body: SendBody = { channel_id: newChannel() },
  context = newContext({ deadlineMs: 15_000, principal }),
) => ask(sendTemplate(world), { body: { template_id: uuidv7(), data: {}, ...body } }, principal, context);

/** The body of a bulk send. */
export type BulkBody = Partial<InputOf<typeof sendBulkDeclaration>['body']>;

/** Sends to many. */
export const sendToMany = (
  world: Dependencies,
  principal: Principal,
  body: BulkBody,
  context = newContext({ deadlineMs: sendBulkDeclaration.deadlineMs, principal }),
) => ask(sendBulk(world), { body: { template_id: uuidv7(), data: {}, ...body } }, principal, context);

/** Lets the platform refuse the next post to a channel, and ask to wait for this many seconds. */
export const limitRate = (world: World, channel: string, seconds: number): Promise<void> =>
  world.misbehave({ method: 'chat.postMessage', channel, mode: 'rate_limited', value: seconds, times: 1 });

/** Lets the platform refuse the next post to a channel with an error of its own. */
export const refusePost = (world: World, channel: string, error: string): Promise<void> =>
  world.misbehave({ method: 'chat.postMessage', channel, mode: 'error', value: error, times: 1 });

/**
 * Loses the next post to a channel, or only its answer, and keeps the history from being read.
 * @param looks how many looks at the history fail; all of them if left out
 */
export const loseOutcome = async (
  world: World,
  channel: string,
  mode: 'reset_before' | 'reset_after',
  looks?: number,
): Promise<void> => {
  await world.misbehave({ method: 'chat.postMessage', channel, mode, times: 1 });
  const unread = { method: 'conversations.history', channel, mode: 'error', value: 'missing_scope' };
  await world.misbehave({ ...unread, ...(looks !== undefined && { times: looks }) });
};

/** The rows of an organization's messages. */
export const rowsOf = (world: World, principal: Principal): Promise<MessageRow[]> =>
  world.rows<MessageRow>('select * from messages where organization_id = $1 order by id', [
    principal.organization_id,
  ]);

/** The settlements that wait for an organization, by operation. */
export const settlementsOf = async (world: World, principal: Principal): Promise<Settlement[]> => {
  const rows = await world.rows<{ payload: Settlement & { others?: Settlement[] } }>(
    `select payload
     from outbox
     where payload ->> 'organization_id' = $1
       and subject = $2
     order by id`,
    [principal.organization_id, jobSubjectOf(settleReservation)],
  );
  return rows.flatMap(({ payload: { others = [], ...first } }) => [first, ...others]);
};

/** The lines that wait for the audit log of an organization. */
export const auditLinesOf = async (
  { rows }: Pick<World, 'rows'>,
  principal: Principal,
): Promise<InputOf<typeof recordAudit>[]> => {
  const found = await rows<{ payload: InputOf<typeof recordAudit> }>(
    "select payload from outbox where subject = $1 and payload ->> 'organization_id' = $2 order by id",
    [jobSubjectOf(recordAudit), principal.organization_id],
  );
  return found.map(({ payload }) => payload);
};

/** What the lines that wait for the audit log say of one thing. */
export const changesOf = ({ rows }: Pick<World, 'rows'>, id: string) =>
  rows<{ action: string; changes: object }>(
    `select payload ->> 'action' as action, payload -> 'changes' as changes
     from outbox
     where payload -> 'subject' ->> 'id' = $1
     order by id`,
    [id],
  );

/** Waits until a statement waits for the lock of another transaction. */
export const untilOneWaits = async ({ rows }: Pick<World, 'rows'>): Promise<void> => {
  const waiting = () =>
    rows("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  while ((await waiting()).length === 0);
};

/** The error that a call was refused with. */
export const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was answered');
};
