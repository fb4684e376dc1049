import { describe, expect, it } from '@jest/globals';
import type { TemplateDraft } from '@stanza/contracts';
import { ApiError } from '../../api/request.ts';
import { type DraftBody, DraftKeeper, type Memory } from './draft-keeper.ts';

const body = (text: string): DraftBody => ({
  blocks: [{ type: 'header', text }],
  metadata: {},
  sample_data: null,
  base_version_id: null,
});
const nothing: Memory = { revision: null, there: null };
const unreachable = new ApiError('no answer', { status: 0, code: 'unreachable' });

/** A question that is put after every answer of a test. */
const later = Number.POSITIVE_INFINITY;

/** A server with one draft, as the API keeps it; a failure is answered before or after it has written. */
class Server {
  draft: TemplateDraft | null = null;
  writes: string[] = [];
  #revision = 0;
  /** What the next request answers, and whether it is done all the same. */
  failure: { error: ApiError; isDone: boolean } | undefined;

  set(content: DraftBody): TemplateDraft {
    this.#revision += 1;
    const at = '2026-01-01T00:00:00.000Z';
    this.draft = {
      template_id: 'one',
      blocks: [...content.blocks],
      metadata: content.metadata,
      sample_data: content.sample_data,
      base_version_id: content.base_version_id,
      revision: this.#revision,
      updated_by: 'ada',
      created_at: at,
      updated_at: at,
    };
    return this.draft;
  }

  readonly read = async (): Promise<TemplateDraft | null> => this.draft;

  readonly write = async (content: DraftBody, expected: number | null): Promise<TemplateDraft> => {
    this.writes.push(JSON.stringify(content.blocks));
    return this.#fail(() => {
      const { draft } = this;
      if (draft && JSON.stringify(draft.blocks) === JSON.stringify(content.blocks)) return draft;
      if ((draft?.revision ?? null) !== expected) throw this.#changed();
      return this.set(content);
    });
  };

  readonly discard = async (expected: number): Promise<void> =>
    this.#fail(() => {
      if (this.draft?.revision !== expected) throw this.#changed();
      this.draft = null;
    });

  #changed(): ApiError {
    return new ApiError('changed', { status: 409, code: 'draft_changed' });
  }

  #fail<T>(act: () => T): T {
    const { failure } = this;
    this.failure = undefined;
    if (failure === undefined) return act();
    if (failure.isDone) act();
    throw failure.error;
  }
}

describe('the keeper of a draft', () => {
  it('writes what is on the screen with the revision it has read, the newest state last', async () => {
    const server = new Server();
    const keeper = new DraftKeeper(server, nothing);
    keeper.offer(body('a'));
    expect(keeper.keeping()).toEqual({ is: 'waiting' });
    const first = keeper.flush();
    keeper.offer(body('b'));
    await first;
    expect(server.draft).toMatchObject({ revision: 2, blocks: body('b').blocks });
    expect(keeper.keeping()).toMatchObject({ is: 'kept' });
    expect(keeper.memory).toMatchObject({ revision: 2 });
  });

  it('discards the draft once the screen is what is saved', async () => {
    const server = new Server();
    const { revision } = server.set(body('a'));
    const keeper = new DraftKeeper(server, { revision, there: body('a') });
    keeper.offer(null);
    await keeper.flush();
    expect(server.draft).toBeNull();
    expect(keeper.keeping()).toEqual({ is: 'none' });
  });

  it('finds two drafts apart, and writes nothing until somebody chooses', async () => {
    const server = new Server();
    const keeper = new DraftKeeper(server, nothing);
    server.set(body('theirs'));
    keeper.offer(body('mine'));
    await expect(keeper.flush()).rejects.toMatchObject({ code: 'draft_changed' });
    expect(keeper.keeping()).toMatchObject({ is: 'apart', theirs: { revision: 1 } });
    keeper.offer(body('mine, more'));
    await expect(keeper.flush()).rejects.toMatchObject({ code: 'draft_changed' });
    expect(server.draft).toMatchObject({ revision: 1, blocks: body('theirs').blocks });
    keeper.insist();
    await keeper.flush();
    expect(server.draft).toMatchObject({ revision: 2, blocks: body('mine, more').blocks });
  });

  it('takes over what somebody else wrote, when that is chosen', async () => {
    const server = new Server();
    const keeper = new DraftKeeper(server, nothing);
    const { revision } = server.set(body('theirs'));
    keeper.offer(body('mine'));
    await expect(keeper.flush()).rejects.toThrow();
    keeper.adopt(revision, body('theirs'));
    await keeper.flush();
    expect(server.draft).toMatchObject({ revision, blocks: body('theirs').blocks });
    expect(keeper.keeping()).toMatchObject({ is: 'kept' });
  });

  it('repeats a request whose answer was lost before it writes what came since, also after a reload', async () => {
    const server = new Server();
    const before = new DraftKeeper(server, nothing);
    server.failure = { error: unreachable, isDone: true };
    before.offer(body('a'));
    await expect(before.flush()).rejects.toMatchObject({ code: 'unreachable' });
    expect(before.keeping()).toMatchObject({ is: 'away' });
    before.close();
    const after = new DraftKeeper(server, before.memory);
    after.offer(body('b'));
    await after.flush();
    expect(server.writes).toEqual(['a', 'a', 'b'].map((text) => JSON.stringify(body(text).blocks)));
    expect(server.draft).toMatchObject({ revision: 2, blocks: body('b').blocks });
  });

  it('says what the server refuses, and writes the next state', async () => {
    const server = new Server();
    const keeper = new DraftKeeper(server, nothing);
    server.failure = {
      error: new ApiError('too large', { status: 413, code: 'payload_too_large' }),
      isDone: false,
    };
    keeper.offer(body('a'));
    await expect(keeper.flush()).rejects.toThrow('too large');
    expect(keeper.keeping()).toMatchObject({ is: 'refused' });
    keeper.offer(body('b'));
    await keeper.flush();
    expect(server.draft).toMatchObject({ blocks: body('b').blocks });
  });

  it('says that a template was deleted, and does not wait for it', async () => {
    const gone = new ApiError('There is no such template.', { status: 404, code: 'not_found' });
    const server = new Server();
    const keeper = new DraftKeeper({ ...server, read: () => Promise.reject(gone) }, nothing);
    server.failure = { error: gone, isDone: false };
    keeper.offer(body('a'));
    await expect(keeper.flush()).rejects.toThrow('no such template');
    expect(keeper.keeping()).toMatchObject({ is: 'refused', error: { status: 404 } });
  });

  it('hears of what others wrote only where it has nothing of its own on the way', async () => {
    const server = new Server();
    const keeper = new DraftKeeper(server, nothing);
    const theirs = server.set(body('theirs'));
    expect(keeper.isNews(theirs, later)).toBe(true);
    // A question that was put before the last answer says nothing new.
    keeper.adopt(theirs.revision, body('theirs'));
    expect(keeper.isNews(null, -1)).toBe(false);
    keeper.offer(body('mine'));
    expect(keeper.isNews(server.set(body('theirs, more')), later)).toBe(false);
    keeper.close();
  });
});
