import { StanzaError } from '@stanza/sdk';
import { hashOf } from '../files/canonical.ts';
import { type LockEntry, writeLock } from '../files/lock-file.ts';
import { fingerprintOf } from '../plan/make-plan.ts';
import type { Action, Plan, PlannedTemplate } from '../plan/plan.ts';
import type { Situation } from '../plan/situation.ts';
import { aboutBody, renamed } from '../templates/content.ts';
import type { LocalTemplate } from '../templates/template-files.ts';

/** What a push is told to do besides its plan. */
export interface PushOptions {
  /** Makes versions live with which stored data breaks. */
  readonly acceptsBreaks: boolean;
  /** For the log of activations and the versions. */
  readonly note?: string | undefined;
}

/** What was done to a template. */
export interface Pushed {
  readonly key: string;
  readonly done: readonly Action[];
  readonly version_number?: number;
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
  readonly #told: (line: string) => void;
  readonly #lock: Map<string, LockEntry>;
  readonly #written = new Map<string, Written>();
  readonly #pushed = new Map<string, Pushed>();

  constructor(situation: Situation, options: PushOptions, told: (line: string) => void) {
    this.#situation = situation;
    this.#options = options;
    this.#told = told;
    this.#lock = new Map(situation.lock);
  }

  /**
   * Does what a plan says: first every version, then every activation, and at the end what is taken out of service, so that
   * nothing is live while something that belongs to it is missing. The base state is written after each template.
   */
  async run({ templates }: Plan): Promise<Pushed[]> {
    for (const planned of templates) await this.#write(planned);
    for (const planned of templates.filter(({ actions }) => actions.includes('activate')))
      await this.#activate(planned.key);
    for (const planned of templates.filter(({ actions }) => actions.includes('archive')))
      await this.#archive(planned);
    return [...this.#pushed.values()];
  }

  #did(key: string, action: Action, version_number?: number): void {
    const before = this.#pushed.get(key);
    const number = version_number ?? before?.version_number;
    const done = [...(before?.done ?? []), action];
    this.#pushed.set(key, { key, done, ...(number !== undefined && { version_number: number }) });
  }

  async #agree(key: string, entry: LockEntry | undefined): Promise<void> {
    const { project, environment } = this.#situation;
    if (entry) this.#lock.set(key, entry);
    else this.#lock.delete(key);
    await writeLock(project.folder, environment, this.#lock);
  }

  /** Brings the API to what the files say, and notes that both agree. */
  async #write({ key, status, actions }: PlannedTemplate): Promise<void> {
    const local = this.#situation.locals.get(key);
    if (!local || (status !== 'unchanged' && actions.length === 0)) return;
    if (status === 'both' || status === 'changed_there') return;
    const written = await this.#versionOf(local, actions);
    if (actions.includes('update')) {
      await this.#situation.stanza.templates.update(written.id, aboutBody(local.about));
      this.#did(key, 'update');
    }
    this.#written.set(key, written);
    await this.#agreeOn(local, written);
  }

  async #agreeOn(local: LocalTemplate, { versionId, liveVersionId }: Written): Promise<void> {
    const entry = { ...fingerprintOf(local), version_id: versionId, live_version_id: liveVersionId };
    await this.#agree(local.key, entry);
  }

  async #versionOf(local: LocalTemplate, actions: readonly Action[]): Promise<Written> {
    if (actions.includes('create')) return this.#create(local);
    const remote = this.#situation.remotes.get(local.key);
    if (!remote) throw new Error(`${local.key} is not there, and is not to be created`);
    const { id, newest, liveVersionId } = remote;
    if (actions.includes('append')) return this.#append(local, id, newest.id, liveVersionId);
    return { id, versionId: newest.id, versionNumber: newest.version_number, liveVersionId };
  }

  #body({ version }: LocalTemplate) {
    const { names } = this.#situation;
    return {
      blocks: renamed(version.blocks, (kind, key) => names.idOf(kind, key)),
      sample_data: version.data,
      entity_id: version.entity === undefined ? null : names.idOf('entity', version.entity),
    };
  }

  async #create(local: LocalTemplate): Promise<Written> {
    const { key } = local;
    const body = { key, ...aboutBody(local.about), ...this.#body(local) };
    const base = this.#situation.lock.get(key)?.version_id ?? null;
    const { templates } = this.#situation.stanza;
    const { id, version } = await underKey(
      keyOf('create', key, fingerprintOf(local), base),
      (idempotencyKey) => templates.create(body, { idempotencyKey }),
    );
    this.#told(`created ${key}`);
    this.#did(key, 'create', version.version_number);
    return { id, versionId: version.id, versionNumber: version.version_number, liveVersionId: null };
  }

  async #append(
    local: LocalTemplate,
    id: string,
    newestId: string,
    liveVersionId: string | null,
  ): Promise<Written> {
    const { note } = this.#options;
    const body = { ...this.#body(local), ...(note !== undefined && { note }) };
    const { versions } = this.#situation.stanza.templates;
    const version = await underKey(
      keyOf('append', id, newestId, fingerprintOf(local).content, note ?? null),
      (idempotencyKey) => versions.append(id, body, { idempotencyKey }),
    );
    this.#told(`added version ${version.version_number} of ${local.key}`);
    this.#did(local.key, 'append', version.version_number);
    return { id, versionId: version.id, versionNumber: version.version_number, liveVersionId };
  }

  async #activate(key: string): Promise<void> {
    const [written, local] = [this.#written.get(key), this.#situation.locals.get(key)];
    if (!written || !local) throw new Error(`${key} was not written, and is to be live`);
    const { acceptsBreaks, note } = this.#options;
    const { id, versionId, versionNumber, liveVersionId } = written;
    await this.#situation.stanza.templates.versions.activate(id, versionId, {
      expected_current_version_id: liveVersionId,
      accept_breaks: acceptsBreaks,
      ...(note !== undefined && { note }),
    });
    this.#told(`version ${versionNumber} of ${key} is live`);
    this.#did(key, 'activate', versionNumber);
    await this.#agreeOn(local, { ...written, liveVersionId: versionId });
  }

  async #archive({ key, theirs }: PlannedTemplate): Promise<void> {
    if (!theirs) return;
    await this.#situation.stanza.templates.archive(theirs.id);
    this.#told(`archived ${key}`);
    this.#did(key, 'archive');
    await this.#agree(key, undefined);
  }
}

/** Keys that are tried; each stands for a failure of its own. */
const most = 20;

const isKeptFailure = (error: unknown): boolean =>
  error instanceof StanzaError && error.replayed && error.status < 500;

/**
 * Makes a request under an idempotency key. A key keeps a refusal for a day also after its cause is gone; a refusal has done
 * nothing, so that the next key, always the same one, may be taken in its place.
 */
export const underKey = async <T>(key: string, run: (key: string) => Promise<T>): Promise<T> => {
  for (let number = 1; ; number += 1) {
    try {
      return await run(number === 1 ? key : `${key}-${number}`);
    } catch (error) {
      if (number === most || !isKeptFailure(error)) throw error;
    }
  }
};
