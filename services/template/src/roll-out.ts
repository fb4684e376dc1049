import { isDeepStrictEqual } from 'node:util';
import {
  authorOf,
  CodedError,
  notFound,
  type Principal,
  problemsError,
  type RollOut,
} from '@stanza/contracts';
import {
  type Allowance,
  type AuditedChange,
  audit,
  type CallContext,
  newId,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { checkedVersion, needSoundVersion } from './checked-blocks.ts';
import type { Dependencies } from './dependencies.ts';
import { authorsOf, withAuthors } from './domain/author.ts';
import type { UserRow } from './domain/partials.ts';
import type { TemplateRow, VersionContent, VersionRow } from './domain/tables.ts';
import { type AcceptBreaks, guardActivation } from './guard-activation.ts';
import { makeLive } from './make-live.ts';
import { proposed } from './proposing.ts';
import { activationRightsOf } from './read-activation-rights.ts';
import { type Candidate, repinned } from './repinned.ts';
import { lastActivationAt } from './store/activations.ts';
import { appendVersion } from './store/authoring.ts';
import { versionsHolding } from './store/partials.ts';
import { openProposalOf } from './store/proposals.ts';
import { liveOrNewestVersion } from './store/requested-version.ts';
import { withinStoredBytes } from './store/stored-bytes.ts';
import { findTemplateOrPartial, lockTemplateOrPartial } from './store/templates.ts';
import { findVersion } from './store/versions.ts';

/** A roll-out of the live version of a partial. */
export interface RollingOut {
  dependencies: Dependencies;
  tenant: Tenant;
  context: CallContext;
  principal: Principal;
  allowance: Allowance;
  candidate: Candidate;
  /** Who has written the version of the partial. */
  authors: readonly string[];
  /** When that version was made live. */
  liveSince: Date | null;
  note: string | null;
  activate: boolean;
  accept: AcceptBreaks;
}

type Result = RollOut['results'][number];
type Done = Pick<Result, 'outcome' | 'proposal_id' | 'error' | 'message' | 'problems'>;

/** What a template gets: the content with the version of the partial, and the version that it is made from. */
interface Wanted {
  user: UserRow;
  template: TemplateRow;
  base: VersionRow;
  blocks: VersionRow['blocks'];
}

const needUnarchived = ({ archived_at, kind }: TemplateRow): void => {
  if (archived_at === null) return;
  throw new CodedError('invalid_state', {
    message: `The ${kind} is archived; unarchive it, and roll out again.`,
  });
};

const wantedFor = async (
  { dependencies: { database }, tenant, candidate }: RollingOut,
  user: UserRow,
): Promise<Wanted> => {
  const template = await findTemplateOrPartial(tenant, database, user.id);
  if (!template) throw notFound(user.kind);
  needUnarchived(template);
  const base = await liveOrNewestVersion(tenant, database, template);
  const self = user.kind === 'partial' ? user.key : undefined;
  const changed = await repinned(tenant, database, { blocks: base.blocks, candidate, self });
  if (changed.problems.length > 0) throw problemsError('compilation_failed', changed.problems);
  return { user, template, base, blocks: changed.blocks };
};

/**
 * The version that an earlier roll-out made, whatever was written or made live since, or the one that needs none.
 */
const versionBefore = async (
  { tenant, candidate }: RollingOut,
  db: Queryable,
  { template: { id }, base, blocks }: Wanted,
): Promise<VersionRow | null> => {
  if (isDeepStrictEqual(base.blocks, blocks)) return base;
  for (const holder of await versionsHolding(tenant, db, id, candidate)) {
    const version = await findVersion(tenant, db, id, holder);
    if (version && isDeepStrictEqual(version.blocks, blocks)) return version;
  }
  return null;
};

const append = async (
  rolling: RollingOut,
  tx: Transaction,
  { user, template, base }: Wanted,
  content: VersionContent,
): Promise<VersionRow> => {
  const { dependencies, tenant, context, principal, allowance, note } = rolling;
  const created_at = dependencies.clock.now();
  const author = authorOf(principal.actor);
  const appended = await appendVersion(tenant, tx, allowance, {
    ...content,
    id: newId(),
    template_id: template.id,
    operation_id: newId(),
    entity_id: base.entity_id,
    note,
    created_by: author,
    authors: withAuthors(authorsOf(base), ...rolling.authors, author),
    created_at,
  });
  if (!appended) throw notFound(user.kind);
  const { id: version_id, version_number } = appended.version;
  await audit(tx, dependencies.outbox, context, {
    action: `${user.kind}.version_added`,
    subject: { kind: user.kind, id: template.id },
    changes: { version_id, version_number, partial: rolling.candidate.key },
    at: created_at,
  });
  return appended.version;
};

interface Made {
  version: VersionRow;
  /** It was checked just now. */
  isNew: boolean;
}

/** Makes the version, unless it is there. Of two roll-outs at once, the second one finds that of the first. */
const versionFor = async (rolling: RollingOut, wanted: Wanted): Promise<Made> => {
  const { dependencies, tenant, context, allowance } = rolling;
  const { database } = dependencies;
  const before = await versionBefore(rolling, database, wanted);
  if (before) return { version: before, isNew: false };
  const { user, template, base, blocks } = wanted;
  const draft = { blocks, sample_data: base.sample_data ?? undefined, template };
  const self = user.kind === 'partial' ? user.key : undefined;
  const content = await checkedVersion(dependencies, context, tenant, draft, self);
  return database.transaction((tx) =>
    withinStoredBytes(tenant, tx, allowance, async () => {
      if (!(await lockTemplateOrPartial(tenant, tx, template.id))) throw notFound(user.kind);
      const found = await versionBefore(rolling, tx, wanted);
      if (found) return { version: found, isNew: false };
      return { version: await append(rolling, tx, wanted, content), isNew: true };
    }),
  );
};

const changedSince = (kind: string): CodedError =>
  new CodedError('current_version_changed', {
    message: `Another version of the ${kind} was made live since the roll-out began; roll out again.`,
  });

const activateNow = async (
  rolling: RollingOut,
  { user, template: before }: Wanted,
  { version, isNew }: Made,
): Promise<Done> => {
  const { dependencies, tenant, context, principal, accept, note } = rolling;
  const { database, rpc, outbox } = dependencies;
  const readRights = activationRightsOf(rpc, context, principal, 'templates:activate', user.kind);
  const rights = await readRights();
  rights.need(authorsOf(version));
  if (!isNew) await needSoundVersion({ database, rpc }, context, tenant, { template: before, version });
  if (user.kind === 'template') {
    const candidate = { template_id: before.id, version_id: version.id };
    await guardActivation(rpc, context, tenant, { ...candidate, accept, rights });
  }
  await database.transaction(async (tx) => {
    const template = await lockTemplateOrPartial(tenant, tx, before.id);
    if (!template) throw notFound(user.kind);
    needUnarchived(template);
    if (template.current_version_id === version.id) return;
    if (template.current_version_id !== before.current_version_id) throw changedSince(user.kind);
    const { actor } = principal;
    const record = (change: AuditedChange) => audit(tx, outbox, context, change);
    const activating = { tenant, tx, outbox, actor, readRights, operationId: newId(), note, record };
    await makeLive(activating, template, version);
  });
  return { outcome: 'activated' };
};

const propose = async (
  rolling: RollingOut,
  { template: { id } }: Wanted,
  version: VersionRow,
): Promise<Done> => {
  const { dependencies, tenant, context, principal, note } = rolling;
  const { database, outbox, clock } = dependencies;
  const row = await database.transaction(async (tx) => {
    const template = await lockTemplateOrPartial(tenant, tx, id);
    if (!template) throw notFound('template');
    needUnarchived(template);
    const proposing = { tenant, context, principal, outbox, tx, template, note, at: clock.now() };
    // A roll-out that another person repeats finds it proposed as well.
    const open = await openProposalOf(tenant, tx, version.id);
    return open ?? proposed({ ...proposing, operationId: newId() }, version);
  });
  return { outcome: 'proposed', proposal_id: row.id };
};

/** Makes the version live; where the policy of the organization refuses the caller, it is proposed. */
const makeLiveOrPropose = async (rolling: RollingOut, wanted: Wanted, made: Made): Promise<Done> => {
  try {
    return await activateNow(rolling, wanted, made);
  } catch (err) {
    const isRefused = err instanceof CodedError && err.code === 'activation_refused';
    if (!isRefused || wanted.user.kind === 'partial') throw err;
    return propose(rolling, wanted, made.version);
  }
};

/**
 * Whether a roll-out makes the version live. What is not in use is not put to use. A version that another one replaced
 * stays replaced, so that a repeated request does not undo a rollback, unless the partial was made live after that: where
 * the partial itself is rolled back, its earlier version goes back into use.
 */
const becomesLive = async (
  { activate, liveSince, tenant, dependencies }: RollingOut,
  { template }: Wanted,
  { version }: Made,
): Promise<boolean> => {
  const { current_version_id: liveId } = template;
  if (!activate || liveId === null || liveId === version.id) return false;
  if (version.first_live_at === null) return true;
  const replacedAt = await lastActivationAt(tenant, dependencies.database, template);
  return liveSince !== null && replacedAt !== null && liveSince > replacedAt;
};

const problemsIn = ({ code, facts }: CodedError): Pick<Done, 'problems'> =>
  code === 'compilation_failed' && facts.error_details ? { problems: JSON.parse(facts.error_details) } : {};

/** Rolls the partial out to what uses it. A failure is a part of the answer, unless the system itself fails. */
export const rollOutTo = async (rolling: RollingOut, user: UserRow): Promise<Result> => {
  const { kind, id, key, name } = user;
  const named = { kind, id, key, name };
  let version: VersionRow | undefined;
  const ofVersion = () => ({
    version_id: version?.id ?? null,
    version_number: version?.version_number ?? null,
  });
  try {
    const wanted = await wantedFor(rolling, user);
    const made = await versionFor(rolling, wanted);
    version = made.version;
    const done: Done = (await becomesLive(rolling, wanted, made))
      ? await makeLiveOrPropose(rolling, wanted, made)
      : { outcome: made.isNew ? 'created' : 'unchanged' };
    return { ...named, ...done, ...ofVersion() };
  } catch (err) {
    if (!(err instanceof CodedError) || err.code === 'service_unavailable') throw err;
    const failure = { outcome: 'failed', error: err.code, message: err.message, ...problemsIn(err) } as const;
    return { ...named, ...failure, ...ofVersion() };
  }
};
