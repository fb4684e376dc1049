import { type Block, isList, partialsIn } from '@stanza/engine';
import { diffBlocks } from '@stanza/engine/diff';
import { isSame, type JsonObject } from '../files/canonical.ts';
import type { Found } from '../resources/found.ts';
import {
  type Access,
  type Differing,
  type Kind,
  keptOf,
  type LocalResource,
  objectAt,
  type RemoteResource,
  refOf,
} from '../resources/kind.ts';
import { isVariable } from '../resources/variables.ts';
import { blocksIn } from '../templates/content.ts';
import { asSaved } from '../templates/partials.ts';
import type { Status } from './compare.ts';
import { type Judged, judge } from './judge.ts';
import type { AboutChange, Action, Planned, PlannedResource, PlanOptions } from './plan.ts';

/** A resource on both sides; it is on one of them at least. */
interface Pair {
  readonly ref: string;
  readonly local: LocalResource | undefined;
  readonly remote: RemoteResource | undefined;
}

/** What is there; what the API does not show counts as it was agreed on, or as the files have it. */
const foundOf = ({ local, remote, ref }: Pair, { lock }: Access): Found | undefined => {
  if (!remote) return undefined;
  const { kind, found } = remote;
  const base = lock.get(ref);
  // Versions never change, so that one that the base state knows is what was agreed on.
  if (kind.hasVersions && base?.version_id === found.version_id) return { ...found, content: base.content };
  if (kind.hidden === undefined) return found;
  return { ...found, content: (base?.content || local?.fingerprint.content) ?? found.content };
};

/** What of a resource differs. */
export const differing = (local: LocalResource, theirs: Found): Differing => ({
  about: local.fingerprint.about !== theirs.about,
  content: local.fingerprint.content !== theirs.content,
});

/** What brings the API to what a file says. */
const writesOf = (local: LocalResource, theirs: Found, { resends }: PlanOptions): Action[] => {
  const { kind, written } = local;
  const { about, content } = differing(local, theirs);
  const isAppended = content && kind.hasVersions;
  const isResent = resends && kind.secretsIn.some((name) => written[name] !== undefined);
  const isUpdated = about || isResent || (content && !kind.hasVersions);
  return [...(isAppended ? (['append'] as const) : []), ...(isUpdated ? (['update'] as const) : [])];
};

const removalOf = (kind: Kind, { archives, deletes }: PlanOptions): Action[] =>
  (kind.removal === 'archive' ? archives : deletes) ? [kind.removal] : [];

const actionsOf = (
  { remote }: Pair,
  target: LocalResource | undefined,
  theirs: Found | undefined,
  { status, staysBack }: Judged,
  options: PlanOptions,
): Action[] => {
  if (status === 'both' || status === 'changed_there') return [];
  if (status === 'gone') return remote ? removalOf(remote.kind, options) : [];
  if (!target) return [];
  const restores: Action[] = theirs?.is_archived ? ['unarchive'] : [];
  const writes: Action[] = theirs ? [...restores, ...writesOf(target, theirs, options)] : ['create'];
  if (!target.kind.hasVersions || !options.activates) return writes;
  const isLive = theirs !== undefined && theirs.live_version_id === theirs.version_id;
  return !(isLive || staysBack) || writes.includes('append') ? [...writes, 'activate'] : writes;
};

const fieldsOf = (before: JsonObject, after: JsonObject): AboutChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): AboutChange[] => {
    const [from, to] = [before[name], after[name]];
    if (name === 'blocks' || isSame(from ?? null, to ?? null)) return [];
    return [{ name, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });

const masked = '********';

const maskedIn = (values: unknown): JsonObject =>
  Object.fromEntries(Object.keys(objectAt(values)).map((key) => [key.toLowerCase(), masked]));

/** A document for people: what a file leaves to a variable is nothing to show, nor are secrets. */
const shownOf = (
  { kind, document }: Pick<LocalResource, 'kind' | 'document'>,
  hidden: (name: string) => string | undefined,
): JsonObject =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]): [string, unknown] => [
      name,
      kind.secretsIn.includes(name) ? maskedIn(value) : (hidden(name) ?? value),
    ]),
  );

const changesOf = ({ local, remote }: Pair, status: Status): Pick<Planned, 'about' | 'blocks'> => {
  const variableOf = (name: string) => {
    const written = local?.written[name];
    return isVariable(written) ? `$${written.env}` : undefined;
  };
  const mine = local ? shownOf(local, variableOf) : {};
  const theirs =
    remote && (!remote.found.is_archived || status === 'changed')
      ? shownOf(remote, (name) => variableOf(name) && masked)
      : {};
  const [before, after] = status === 'changed_there' ? [mine, theirs] : [theirs, mine];
  const [was, is] = [blocksIn(before.blocks), blocksIn(after.blocks)];
  return {
    about: status === 'gone' ? [] : fieldsOf(before, after),
    ...((isList(was) || isList(is)) && { blocks: diffBlocks(was ?? [], is ?? []) }),
  };
};

/** The partials that blocks name in their live version. */
export const liveOnly = (blocks: readonly Block[]): string[] =>
  partialsIn(blocks).flatMap(({ key, version }) => (version === undefined ? [key] : []));

/** Partials that blocks name and that cannot be used when the push comes to them. */
export const problemsOfPartials = (
  blocks: readonly Block[],
  { names, livePartials, locals }: Access,
  { activates }: PlanOptions,
): string[] =>
  liveOnly(blocks).flatMap((key) => {
    if (livePartials === undefined || livePartials.has(key)) return [];
    if (!names.has('partial', key)) return [names.missing('partial', key)];
    if (activates && locals.has(refOf('partials', key))) return [];
    return [`the partial ${key} has no live version, so that nothing can use it: say --activate`];
  });

const problemsOf = (
  { kind, problem, document }: LocalResource,
  remote: RemoteResource | undefined,
  access: Access,
  options: PlanOptions,
  now: Date,
): string[] => {
  if (problem !== undefined) return [problem];
  const { names } = access;
  const missing = kind
    .referencesOf(document)
    .filter((it) => it.kind !== 'partial' && !names.has(it.kind, it.name))
    .map((it) => names.missing(it.kind, it.name));
  const saved = asSaved(blocksIn(document.blocks) ?? [], blocksIn(remote?.document.blocks) ?? []);
  const late = remote ? undefined : kind.problemOfNew(document, now);
  return [...missing, ...problemsOfPartials(saved, access, options), ...(late === undefined ? [] : [late])];
};

const plannedOf = (
  pair: Pair,
  access: Access,
  options: PlanOptions,
  now: Date,
): PlannedResource | undefined => {
  const { ref, local, remote } = pair;
  const theirs = foundOf(pair, access);
  const mine = local?.fingerprint;
  const judged = judge({ key: ref, mine, theirs, base: access.lock.get(ref) }, options);
  if (!judged) return undefined;
  const kept = local && keptOf(local, remote, options.deletes);
  const actions = actionsOf(pair, kept?.local, theirs, judged, options);
  const isWritten = actions.some((it) => it === 'create' || it === 'update' || it === 'append');
  const isPushed = judged.status === 'changed';
  const isQuiet = judged.status === 'unchanged' && actions.length === 0;
  const hidden = (local ?? remote)?.kind.hidden;
  const secrets = (local ?? remote)?.kind.secretsIn ?? [];
  const hasSecrets = secrets.some((name) => (local ?? remote)?.document[name] !== undefined);
  return {
    key: ref,
    ...judged,
    actions,
    ...(mine && { mine }),
    ...(kept && kept.local !== local && { makes: kept.local.fingerprint }),
    ...(theirs && { theirs }),
    ...(isQuiet ? { about: [] } : changesOf(pair, judged.status)),
    data_changed: false,
    lacking: isPushed ? (kept?.lacking ?? []) : [],
    problems:
      local && (isWritten || local.problem !== undefined)
        ? problemsOf(local, remote, access, options, now)
        : [],
    unset: isWritten ? (local?.unset ?? []) : [],
    ...(hidden !== undefined && hasSecrets && { unseen: hidden }),
  };
};

/** A resource of which nothing is written and a version becomes live, with what is live now as it was before. */
export const withLive = async (
  planned: PlannedResource,
  remote: RemoteResource | undefined,
): Promise<PlannedResource> => {
  if (!remote || planned.status !== 'unchanged' || !planned.actions.includes('activate')) return planned;
  const { document } = remote;
  const live = (await remote.live?.()) ?? { ...document, blocks: [] };
  return {
    ...planned,
    about: fieldsOf(live, document),
    blocks: diffBlocks(blocksIn(live.blocks) ?? [], blocksIn(document.blocks) ?? []),
  };
};

/** Compares all sides of the resources besides templates. */
export const planResources = (
  access: Access,
  remotes: ReadonlyMap<string, RemoteResource>,
  options: PlanOptions,
  now: Date,
): PlannedResource[] =>
  [...new Set([...access.locals.keys(), ...remotes.keys()])]
    .sort()
    .flatMap(
      (ref) =>
        plannedOf({ ref, local: access.locals.get(ref), remote: remotes.get(ref) }, access, options, now) ??
        [],
    );
