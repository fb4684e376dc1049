import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
let leave: AbortController;
beforeEach(async () => {
  sandbox = await startedSandbox();
  leave = new AbortController();
});
afterEach(async () => {
  leave.abort();
  await sandbox.close();
});

interface FeedEvent {
  readonly event: string;
  readonly data: { messages?: { text: string }[]; names?: Record<string, string> } & { text: string }[];
}

/** Reads the feed event by event. */
async function* follow(): AsyncGenerator<FeedEvent> {
  const response = await fetch(`${sandbox.url}/feed`, { signal: leave.signal });
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = `${rest}${chunk}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(part);
      yield { event: match?.[1] ?? '', data: JSON.parse(match?.[2] ?? 'null') };
    }
  }
}

async function next(feed: AsyncGenerator<FeedEvent>): Promise<FeedEvent> {
  const { value } = await feed.next();
  return value;
}

const post = (text: string) => sandbox.client().chat.postMessage({ channel: 'C0GENERAL', text });

describe('the feed', () => {
  it('begins with what is there, newest first, and with the names of people and channels', async () => {
    await post('one');
    await post('two');
    const { event, data } = await next(follow());
    expect(event).toBe('snapshot');
    expect(data.messages?.map(({ text }) => text)).toEqual(['two', 'one']);
    expect(data.names).toMatchObject({
      C0GENERAL: 'general',
      D0ADA: 'Ada Lovelace',
      U0GRACE: 'Grace Hopper',
    });
  });

  it('goes on with what is posted, and says when it was cleared', async () => {
    const feed = follow();
    await next(feed);
    await post('one');
    const posted = await next(feed);
    expect(posted.event).toBe('posted');
    expect(posted.data.map(({ text }) => text)).toEqual(['one']);
    await fetch(`${sandbox.url}/control/messages`, { method: 'DELETE' });
    expect((await next(feed)).event).toBe('cleared');
  });

  it('says which message was taken out', async () => {
    await post('one');
    const feed = follow();
    await next(feed);
    const [{ ts } = { ts: '' }] = await sandbox.messages();
    await sandbox.client().chat.delete({ channel: 'C0GENERAL', ts });
    expect(await next(feed)).toMatchObject({ event: 'deleted', data: { ts } });
  });

  it('begins with no more than the newest hundred', async () => {
    const client = sandbox.client();
    await Promise.all(
      Array.from({ length: 120 }, () => client.chat.postMessage({ channel: 'C1000', text: 'x' })),
    );
    expect((await next(follow())).data.messages).toHaveLength(100);
  });
});
