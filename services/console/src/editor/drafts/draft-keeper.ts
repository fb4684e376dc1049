import type { TemplateDraft } from '@stanza/contracts';
import { ApiError } from '../../api/request.ts';
import { isSame } from '../document/document.ts';

/** What the server is to keep of a template that is edited. */
export interface DraftBody {
  readonly blocks: readonly unknown[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly sample_data: Readonly<Record<string, unknown>> | null;
  readonly base_version_id: string | null;
}

/** The calls that a keeper makes; each throws ApiError. */
export interface DraftCalls {
  /** Null where there is none. */
  readonly read: () => Promise<TemplateDraft | null>;
  readonly write: (body: DraftBody, expected: number | null) => Promise<TemplateDraft>;
  readonly discard: (expected: number) => Promise<void>;
}

/** Where the draft stands. */
export type Keeping =
  /** What is on the screen is what is saved. */
  | { readonly is: 'none' }
  /** A change is on its way to the server. */
  | { readonly is: 'waiting' }
  | { readonly is: 'kept'; readonly at: string }
  /** Somebody else was faster; null where they have saved or discarded the draft. Nothing is written until one chooses. */
  | { readonly is: 'apart'; readonly theirs: TemplateDraft | null }
  /** The server does not answer, or the session has ended; it is tried again. */
  | { readonly is: 'away'; readonly error: ApiError }
  /** The server does not take this draft. */
  | { readonly is: 'refused'; readonly error: ApiError };

/** What the browser remembers of the server, so that work goes on where it was after a reload. */
export interface Memory {
  /** The revision that was last read or written; null for no draft. */
  readonly revision: number | null;
  /** What the server is known to have; null for no draft, undefined where that is not known. */
  readonly there: DraftBody | null | undefined;
  /** A request whose answer has not come: it is repeated as it was, since the server may have taken it. */
  readonly sent?: DraftBody | undefined;
}

/** Milliseconds without a change after which a draft is written. */
const pauseMs = 600;
/** Milliseconds after which a server that does not answer is asked again. */
const retryMs = 3_000;

const textOf = (body: DraftBody | null | undefined): string => JSON.stringify(body) ?? '';

const isPassing = ({ status }: ApiError): boolean => status === 0 || status === 401 || status >= 429;

/**
 * Keeps the draft of one template on the server: one request at a time, the newest state last, and never over what
 * somebody else has written.
 */
export class DraftKeeper {
  readonly #calls: DraftCalls;
  #revision: number | null;
  #there: DraftBody | null | undefined;
  #sent: DraftBody | undefined;
  #wanted: DraftBody | null;
  #keeping: Keeping = { is: 'none' };
  #writing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeld = false;
  #isClosed = false;
  /** When the server answered last, by `performance.now()`: what was asked before that is old. */
  #answeredAt = 0;
  readonly #listeners = new Set<() => void>();

  constructor(calls: DraftCalls, { revision, there, sent }: Memory) {
    this.#calls = calls;
    this.#revision = revision;
    this.#there = there;
    this.#sent = sent;
    this.#wanted = there ?? null;
  }

  /** Where the draft stands; the same object until that changes. */
  readonly keeping = (): Keeping => this.#keeping;

  /** Hears of each change; answers how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** See {@link Memory}. */
  get memory(): Memory {
    return { revision: this.#revision, there: this.#there, sent: this.#sent };
  }

  /** Nothing of this page is missing on the server. */
  get isSettled(): boolean {
    return this.#sent === undefined && textOf(this.#wanted) === textOf(this.#there);
  }

  /** Takes what is on the screen; null where that is what is saved. It is written after a moment without a change. */
  offer(body: DraftBody | null): void {
    if (textOf(body) === textOf(this.#wanted) && this.#keeping.is !== 'none') return;
    this.#wanted = body;
    if (this.#keeping.is === 'apart') return;
    if (this.isSettled) this.#settle();
    else {
      this.#turn({ is: 'waiting' });
      this.#later(pauseMs);
    }
  }

  /**
   * Writes now what is on the screen.
   * @throws ApiError where it could not be written, or another draft stands against it
   */
  async flush(): Promise<void> {
    await this.#write();
    const state = this.#keeping;
    if (state.is === 'away' || state.is === 'refused') throw state.error;
    if (state.is === 'apart') {
      throw new ApiError('Somebody else has changed this draft. Choose between the two first.', {
        status: 409,
        code: 'draft_changed',
      });
    }
  }

  /** Takes over what somebody else wrote, as the page shows it; null for no draft. */
  adopt(revision: number | null, shown: DraftBody | null): void {
    this.#answeredAt = performance.now();
    this.#revision = revision;
    this.#there = shown;
    this.#wanted = shown;
    this.#sent = undefined;
    this.#settle();
  }

  /** Writes over what somebody else wrote. */
  insist(): void {
    if (this.#keeping.is !== 'apart') return;
    this.#revision = this.#keeping.theirs?.revision ?? null;
    this.#there = undefined;
    this.#turn({ is: 'waiting' });
    void this.#write();
  }

  /** Nothing is written while a version is made of the draft. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld && !this.isSettled) this.#later(pauseMs);
  }

  /** Writes a state now, also where it is what is saved; answers its revision. Throws as {@link flush} does. */
  async put(body: DraftBody): Promise<number> {
    this.offer(body);
    await this.flush();
    if (this.#revision === null) throw new TypeError('the draft that was written has no revision');
    return this.#revision;
  }

  /**
   * Whether a draft that was read of the server is somebody else's newer work, to be taken over. While this page has a
   * change on its way, its own request tells.
   * @param askedAt when the question was put, by `performance.now()`
   */
  isNews(draft: { revision: number } | null, askedAt: number): boolean {
    if (this.#isHeld || !this.isSettled || this.#writing !== undefined || this.#keeping.is === 'apart')
      return false;
    return askedAt > this.#answeredAt && (draft?.revision ?? null) !== this.#revision;
  }

  /** Writes what waits, without waiting for the moment without a change. */
  readonly hurry = (): void => {
    if (!this.isSettled) void this.#write();
  };

  /** Begins to write by itself, also once more after it was closed. */
  open(): void {
    this.#isClosed = false;
    if (!this.isSettled) this.#later(pauseMs);
  }

  /** Writes what waits once more, and plans nothing after that; the editor goes away. */
  close(): void {
    this.#isClosed = true;
    if (this.#keeping.is === 'waiting') this.hurry();
    clearTimeout(this.#timer);
  }

  #turn(keeping: Keeping): void {
    this.#keeping = keeping;
    for (const listener of this.#listeners) listener();
  }

  #settle(at = new Date().toISOString()): void {
    clearTimeout(this.#timer);
    this.#turn(this.#revision === null ? { is: 'none' } : { is: 'kept', at });
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#write(), milliseconds);
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    if (this.#isHeld || this.#keeping.is === 'apart') return;
    try {
      while (!this.isSettled) await this.#writeOnce();
      this.#settle();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.#fail(error);
    }
  }

  async #writeOnce(): Promise<void> {
    const body = this.#sent ?? this.#wanted;
    if (body === null) {
      if (this.#revision !== null) await this.#calls.discard(this.#revision);
      this.#revision = null;
    } else {
      this.#sent = body;
      this.#announce();
      const { revision } = await this.#calls.write(body, this.#revision);
      this.#sent = undefined;
      this.#revision = revision;
    }
    this.#answeredAt = performance.now();
    this.#there = body;
    this.#announce();
  }

  /** The page keeps the memory of each request. */
  #announce(): void {
    this.#turn({ is: 'waiting' });
  }

  async #fail(error: ApiError): Promise<void> {
    // The answer has come, so that the request is not open any more.
    if (!isPassing(error)) this.#sent = undefined;
    try {
      if (error.code === 'draft_changed' || error.code === 'not_found') {
        this.#reconcile(await this.#calls.read());
      } else if (isPassing(error)) this.#wait(error);
      else this.#turn({ is: 'refused', error });
    } catch (again) {
      if (!(again instanceof ApiError)) throw again;
      if (isPassing(again)) this.#wait(again);
      else this.#turn({ is: 'refused', error: again });
    }
  }

  /** The server has another draft than this page has read. */
  #reconcile(theirs: TemplateDraft | null): void {
    const wanted = this.#wanted;
    const isMine = theirs === null ? wanted === null : wanted !== null && isSame(bodyOfDraft(theirs), wanted);
    if (isMine) this.adopt(theirs?.revision ?? null, wanted);
    else this.#turn({ is: 'apart', theirs });
  }

  #wait(error: ApiError): void {
    this.#turn({ is: 'away', error });
    this.#later(retryMs);
  }
}

const bodyOfDraft = ({ blocks, metadata, sample_data, base_version_id }: TemplateDraft): DraftBody => ({
  blocks,
  metadata,
  sample_data,
  base_version_id,
});
