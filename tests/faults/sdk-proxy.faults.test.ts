import { describe, expect, it } from '@jest/globals';
import { getCredits, listMessages } from '@stanza/contracts';
import { Stanza } from '@stanza/sdk';
import { SeededRandom } from '../chaos/random.ts';
import { BadProxy } from '../kit/bad-proxy.ts';
import { repeat } from '../kit/in-flight.ts';
import { startOwnStackWith } from '../kit/own-stack.ts';
import { sharedByTests } from '../kit/shared.ts';
import { withLiveTemplate } from '../kit/templates.ts';

/** Sends of the story; `SDK_SENDS=10000` is the long form. */
const sends = Number(process.env.SDK_SENDS ?? 500);
/** Credits that are left when each send was charged once. */
const spare = 100;
/** The channels of the sandbox that are meant for volume. A channel takes about a message a second. */
const channels = Array.from({ length: 1_000 }, (_, index) => `C${1_000 + index}`);
/** Milliseconds within which a send has its answer: half of the requests have trouble, and full channels make it wait. */
const sendMs = 120_000;

describe('a program with the SDK behind a proxy that cuts, delays and doubles', () => {
  const own = sharedByTests(() =>
    withLiveTemplate(startOwnStackWith('sdk-proxy', { tier: 'enterprise', credits: sends + spare })),
  );

  it('sends every message once, and pays for it once', async () => {
    await using closing = new AsyncDisposableStack();
    const proxy = await BadProxy.start(own().api.base, new SeededRandom(17));
    closing.defer(() => proxy.close());
    const { key } = await own().organization.key();
    const stanza = new Stanza({ url: proxy.url, key, timeoutMs: sendMs });
    const data = { service: 'api', version: '1' };
    const answered: string[] = [];
    await repeat(sends, async (index) => {
      const channel_id = channels[index % channels.length] ?? '';
      const { message_id } = await stanza.send(own().template.id, { channel_id, data });
      answered.push(message_id);
    });

    const posted = (await own().world.sandbox.allMessages()).map((it) => it.key ?? '');
    expect(posted.toSorted()).toEqual(answered.toSorted());
    expect(new Set(answered).size).toBe(sends);
    const log = await own().api.ok(listMessages, { query: { status: 'sent', limit: '1' } });
    expect(log.pagination.total).toBe(sends);
    const params = { organization_id: own().organization.id };
    expect((await own().api.ok(getCredits, { params })).balance).toBe(spare);
    expect(Object.values(proxy.counts).every((count) => count > 0)).toBe(true);
  });
});
