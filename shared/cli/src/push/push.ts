import { hashOf } from '../files/canonical.ts';
import { fingerprintOf } from '../plan/make-plan.ts';
import type { Action, Plan, PlannedTemplate } from '../plan/plan.ts';
import type { Situation } from '../plan/situation.ts';
import type { Kind } from '../resources/kind.ts';
import { isBeforeTemplates } from '../resources/kinds.ts';
import { aboutBody, renamed } from '../templates/content.ts';
import { blocksToSave } from '../templates/remote.ts';
import type { LocalTemplate } from '../templates/template-files.ts';
import { Progress, type Pushed } from './progress.ts';
import { ResourcePush } from './push-resources.ts';
import { underKey } from './under-key.ts';

/** What a push is told to do besides its plan. */
export interface PushOptions {
  /** Makes versions live with which stored data breaks. */
  readonly acceptsBreaks: boolean;
  /** For the log of activations and the versions. */
  readonly note?: string | undefined;
}

/** A template in the midst of a push. */
interface Written {
  readonly id: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly liveVersionId: string | null;
}

/** Names what a request does, so that it happens once however often a push is killed and begun again. */
const keyOf = (action: 'create' | 'append', ...parts: unknown[]): string => `push-${action}-${hashOf(parts)}`;

/** The steps of a push over one state of files and API. */
export class Push {
  readonly #situation: Situation;
  readonly #options: PushOptions;
  readonly #progress: Progress;
  readonly #print: (line: string) => void;
  readonly #written = new Map<string, Written>();

  constructor(situation: Situation, options: PushOptions, print: (line: string) => void) {
    this.#situation = situation;
    this.#options = options;
    this.#print = print;
    this.#progress = new Progress(situation, print);
  }

  /**
   * Does what a plan says: first what templates name, then every version, then every activation, then what names templates,
   * and at the end what is taken out of service, so that nothing is live while something that belongs to it is missing.
   * The base state is written after each of them.
   */
  async run(plan: Plan): Promise<Pushed[]> {
    try {
      await this.#steps(plan);
    } catch (error) {
      const { at } = this.#progress;
      if (at !== undefined)
        this.#print(`the push ended at ${at}: what was done stays, and the same push goes on from there`);
      throw error;
    }
    return this.#progress.pushed;
  }

  async #steps(plan: Plan): Promise<void> {
    const { templates } = plan;
    const others = new ResourcePush(this.#situation, this.#progress, plan);
    const isAfterTemplates = (kind: Kind) => !isBeforeTemplates(kind);
    await others.write(isBeforeTemplates);
    for (const planned of templates) await this.#write(planned);
    for (const planned of templates.filter(({ actions }) => actions.includes('activate')))
      await this.#activate(planned.key);
    await others.write(isAfterTemplates);
    await others.remove(isAfterTemplates);
    for (const planned of templates.filter(({ actions }) => actions.includes('archive')))
      await this.#archive(planned);
    await others.remove(isBeforeTemplates);
  }

  /** Brings the API to what the files say, and notes that both agree. */
  async #write({ key, status, actions }: PlannedTemplate): Promise<void> {
    const local = this.#situation.locals.get(key);
    if (!local || (status !== 'unchanged' && actions.length === 0)) return;
    if (status === 'both' || status === 'changed_there') return;
    this.#progress.begin(key);
    const written = await this.#versionOf(local, actions);
    if (actions.includes('update')) {
      await this.#situation.stanza.templates.update(written.id, aboutBody(local.about));
      this.#progress.did(key, 'update', `updated ${key}`);
    }
    this.#written.set(key, written);
    await this.#agreeOn(local, written);
  }

  async #agreeOn(local: LocalTemplate, { versionId, liveVersionId }: Written): Promise<void> {
    const entry = { ...fingerprintOf(local), version_id: versionId, live_version_id: liveVersionId };
    await this.#progress.agree(local.key, entry);
  }

  async #versionOf(local: LocalTemplate, actions: readonly Action[]): Promise<Written> {
    if (actions.includes('create')) return this.#create(local);
    const remote = this.#situation.remotes.get(local.key);
    if (!remote) throw new Error(`${local.key} is not there, and is not to be created`);
    const { id, newest, liveVersionId } = remote;
    if (actions.includes('unarchive')) {
      const { warnings = [] } = await this.#situation.stanza.templates.unarchive(id);
      const done = `took ${local.key} out of the archive`;
      this.#progress.did(local.key, 'unarchive', [done, ...warnings].join('. '));
    }
    if (actions.includes('append')) return this.#append(local, id, newest.id, liveVersionId);
    return { id, versionId: newest.id, versionNumber: newest.version_number, liveVersionId };
  }

  async #body(local: LocalTemplate) {
    const { names, remotes } = this.#situation;
    const { version } = local;
    const blocks = await blocksToSave(local, remotes.get(local.key));
    return {
      blocks: renamed(blocks, (kind, key) => names.idOf(kind, key)),
      sample_data: version.data,
      entity_id: version.entity === undefined ? null : names.idOf('entity', version.entity),
    };
  }

  async #create(local: LocalTemplate): Promise<Written> {
    const { key } = local;
    const body = { key, ...aboutBody(local.about), ...(await this.#body(local)) };
    const base = this.#situation.lock.get(key)?.version_id ?? null;
    const { templates } = this.#situation.stanza;
    const { id, version } = await underKey(
      keyOf('create', key, fingerprintOf(local), base),
      (idempotencyKey) => templates.create(body, { idempotencyKey }),
    );
    this.#progress.did(key, 'create', `created ${key}`, version.version_number);
    return { id, versionId: version.id, versionNumber: version.version_number, liveVersionId: null };
  }

  async #append(
    local: LocalTemplate,
    id: string,
    newestId: string,
    liveVersionId: string | null,
  ): Promise<Written> {
    const { note } = this.#options;
    const body = { ...(await this.#body(local)), ...(note !== undefined && { note }) };
    const { versions } = this.#situation.stanza.templates;
    const version = await underKey(
      keyOf('append', id, newestId, fingerprintOf(local).content, note ?? null),
      (idempotencyKey) => versions.append(id, body, { idempotencyKey }),
    );
    const { version_number: number } = version;
    this.#progress.did(local.key, 'append', `added version ${number} of ${local.key}`, number);
    return { id, versionId: version.id, versionNumber: number, liveVersionId };
  }

  async #activate(key: string): Promise<void> {
    const [written, local] = [this.#written.get(key), this.#situation.locals.get(key)];
    if (!written || !local) throw new Error(`${key} was not written, and is to be live`);
    this.#progress.begin(key);
    const { acceptsBreaks, note } = this.#options;
    const { id, versionId, versionNumber, liveVersionId } = written;
    await this.#situation.stanza.templates.versions.activate(id, versionId, {
      expected_current_version_id: liveVersionId,
      accept_breaks: acceptsBreaks,
      ...(note !== undefined && { note }),
    });
    this.#progress.did(key, 'activate', `version ${versionNumber} of ${key} is live`, versionNumber);
    await this.#agreeOn(local, { ...written, liveVersionId: versionId });
  }

  async #archive({ key, theirs }: PlannedTemplate): Promise<void> {
    if (!theirs) return;
    this.#progress.begin(key);
    await this.#situation.stanza.templates.archive(theirs.id);
    this.#progress.did(key, 'archive', `archived ${key}`);
    await this.#progress.agree(key, undefined);
  }
}
