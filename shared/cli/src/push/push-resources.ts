import { hashOf } from '../files/canonical.ts';
import { pushingOf } from '../plan/judge.ts';
import type { Action, Plan, PlannedResource } from '../plan/plan.ts';
import { removals } from '../plan/plan.ts';
import { differing } from '../plan/plan-resources.ts';
import type { Situation } from '../plan/situation.ts';
import {
  type Kind,
  keptOf,
  type LocalResource,
  type RemoteResource,
  refOf,
  type Written,
} from '../resources/kind.ts';
import { allKinds } from '../resources/kinds.ts';
import type { Progress } from './progress.ts';
import { underKey } from './under-key.ts';

const doneWords = {
  create: 'created',
  unarchive: 'took out of the archive:',
  append: 'added a version of',
  update: 'updated',
  activate: 'made live',
  archive: 'archived',
  delete: 'deleted',
  cancel: 'cancelled',
} as const satisfies Record<Action, string>;

const writing: readonly Action[] = ['append', 'update'];

/** Resources of a kind, each after those that it names. */
const inOrder = (
  planned: readonly PlannedResource[],
  locals: ReadonlyMap<string, LocalResource>,
): PlannedResource[] => {
  const left = new Map(planned.map((one) => [one.key, one]));
  const ordered: PlannedResource[] = [];
  const take = (one: PlannedResource): void => {
    if (!left.delete(one.key)) return;
    const local = locals.get(one.key);
    const named = local && local.problem === undefined ? local.kind.referencesOf(local.document) : [];
    for (const { kind, name } of named) {
      const other = kind === local?.kind.named ? left.get(refOf(local.kind.folder, name)) : undefined;
      if (other) take(other);
    }
    ordered.push(one);
  };
  for (const one of planned) take(one);
  return ordered;
};

/** The steps of a push that write resources besides templates. */
export class ResourcePush {
  readonly #situation: Situation;
  readonly #progress: Progress;
  readonly #plan: Plan;

  constructor(situation: Situation, progress: Progress, plan: Plan) {
    this.#situation = situation;
    this.#progress = progress;
    this.#plan = plan;
  }

  /** Writes what is planned of some kinds, one kind after the other. */
  async write(isWanted: (kind: Kind) => boolean): Promise<void> {
    const { locals } = this.#situation.access;
    for (const kind of allKinds.filter(isWanted))
      for (const planned of inOrder(
        this.#plan.resources.filter(({ key }) => locals.get(key)?.kind === kind),
        locals,
      ))
        await this.#write(planned);
  }

  /** Takes out of service what is planned of some kinds, in the opposite order. */
  async remove(isWanted: (kind: Kind) => boolean): Promise<void> {
    for (const kind of allKinds.filter(isWanted).toReversed())
      for (const planned of this.#plan.resources) {
        const remote = this.#situation.resourcesThere.get(planned.key);
        if (remote?.kind === kind) await this.#remove(remote, planned);
      }
  }

  #did(ref: string, action: Action): void {
    this.#progress.did(ref, action, `${doneWords[action]} ${ref}`);
  }

  async #write({ key: name, status, actions }: PlannedResource): Promise<void> {
    const fromFile = this.#situation.access.locals.get(name);
    if (!fromFile) return;
    if (status === 'both' || status === 'changed_there') return;
    if (status !== 'unchanged' && actions.length === 0) return;
    this.#progress.begin(name);
    const { access, resourcesThere } = this.#situation;
    const remote = resourcesThere.get(name);
    const { local } = keptOf(fromFile, remote, this.#plan.deletes);
    const { kind, ref, key } = local;
    const written = await this.#written(local, fromFile, remote, actions);
    if (kind.named) access.names.learn(kind.named, key, written.id);
    await this.#agreeOn(local, written);
    if (!actions.includes('activate')) return;
    await kind.activate(access, written);
    this.#did(ref, 'activate');
    await this.#agreeOn(local, { ...written, liveVersionId: written.versionId });
  }

  async #written(
    local: LocalResource,
    fromFile: LocalResource,
    remote: RemoteResource | undefined,
    actions: readonly Action[],
  ): Promise<Written> {
    const { access } = this.#situation;
    const { kind, ref, fingerprint } = local;
    if (!remote) {
      await this.#begin(fromFile);
      const base = access.lock.get(ref)?.version_id ?? null;
      const name = `push-create-${hashOf([ref, fingerprint, base])}`;
      const made = await underKey(name, (idempotencyKey) => kind.create(access, local, idempotencyKey));
      this.#did(ref, 'create');
      return made;
    }
    const { id, version_id: versionId, live_version_id: liveVersionId } = remote.found;
    if (actions.includes('unarchive')) {
      await kind.restore(access, id);
      this.#did(ref, 'unarchive');
    }
    const done = actions.filter((action) => writing.includes(action));
    if (done.length === 0) return { id, versionId, liveVersionId };
    await this.#begin(fromFile);
    const written = await kind.update(access, local, remote, differing(local, remote.found));
    for (const action of done) this.#did(ref, action);
    return written;
  }

  /** Notes what is written in several requests, so that a push that is killed among them goes on. */
  async #begin({ ref, fingerprint }: LocalResource): Promise<void> {
    const before = this.#progress.entryOf(ref);
    const nothing = { about: '', content: '', version_id: '', live_version_id: null };
    await this.#progress.agree(ref, { ...(before ?? nothing), pushing: pushingOf(fingerprint) });
  }

  async #agreeOn({ ref, fingerprint }: LocalResource, { versionId, liveVersionId }: Written): Promise<void> {
    const entry = { ...fingerprint, version_id: versionId, live_version_id: liveVersionId };
    await this.#progress.agree(ref, entry);
  }

  async #remove({ kind, ref, found }: RemoteResource, { actions }: PlannedResource): Promise<void> {
    const removal = removals.find((it) => actions.includes(it));
    if (removal === undefined) return;
    this.#progress.begin(ref);
    await kind.remove(this.#situation.access, found.id);
    this.#did(ref, removal);
    await this.#progress.agree(ref, undefined);
  }
}
