import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestProvider } from '../../testing/identity-provider.ts';

const minute = 60_000;
const untilNextDay = { exp: Date.parse('2026-11-23T00:00:00Z') / 1000 };

describe("the identity provider's keys", () => {
  let provider: TestProvider;

  beforeEach(() => {
    provider = new TestProvider();
  });

  const isAccepted = async (token: string): Promise<boolean> => {
    const code = await provider.verify(token).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    if (code === 'accepted' || code === 'invalid_token') return code === 'accepted';
    throw new Error(`answered ${code}`);
  };

  it('are asked for once, also by requests that come together', async () => {
    const tokens = await Promise.all([provider.sign(), provider.sign({ sub: 'grace' })]);
    await Promise.all(tokens.map(provider.verify));
    await provider.verify(await provider.sign({ sub: 'linus' }));
    expect(provider.asked).toBe(1);
  });

  it('are asked for again when a token is signed with a new one', async () => {
    const before = await provider.sign();
    expect(await isAccepted(before)).toBe(true);
    provider.rotate();
    expect(await isAccepted(await provider.sign())).toBe(true);
    expect(await isAccepted(before)).toBe(true);
    expect(provider.asked).toBe(2);
  });

  it('no longer vouch for what they signed once they are withdrawn, though it was verified before', async () => {
    const before = await provider.sign();
    expect(await isAccepted(before)).toBe(true);
    provider.rotate({ keep: false });
    expect(await isAccepted(await provider.sign())).toBe(true);
    expect(await isAccepted(before)).toBe(false);
  });

  it('are not searched for again and again for names that somebody made up', async () => {
    await provider.verify(await provider.sign());
    const made = { ...new TestProvider().current, kid: 'made-up' };
    for (let tried = 0; tried < 5; tried += 1) {
      expect(await isAccepted(await provider.sign({}, made))).toBe(false);
    }
    expect(provider.asked).toBe(2);
    provider.clock.pass(10_000);
    expect(await isAccepted(await provider.sign({}, made))).toBe(false);
    expect(provider.asked).toBe(3);
  });

  it('are asked for again behind the back of requests when they are old', async () => {
    const token = await provider.sign(untilNextDay);
    await provider.verify(token);
    provider.rotate({ keep: false });
    provider.clock.pass(5 * minute + 1);
    expect(await isAccepted(token)).toBe(true);
    expect(provider.asked).toBe(2);
    await provider.keys.current();
    expect(await isAccepted(token)).toBe(false);
  });

  it('go on serving for a day while the provider is away, and no longer', async () => {
    const token = await provider.sign(untilNextDay);
    await provider.verify(token);
    provider.isAway = true;
    provider.clock.pass(24 * 60 * minute);
    expect(await isAccepted(token)).toBe(true);
    provider.clock.pass(1);
    await expect(provider.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('that cannot be had are a coded 503, and the provider is left alone for a second', async () => {
    provider.isAway = true;
    const token = await provider.sign();
    for (let tried = 0; tried < 3; tried += 1) {
      await expect(provider.verify(token)).rejects.toMatchObject({
        code: 'service_unavailable',
        facts: { retry_after: 1 },
      });
    }
    expect(provider.asked).toBe(1);
    provider.isAway = false;
    provider.clock.pass(1_000);
    expect(await isAccepted(token)).toBe(true);
  });

  it('are no reason to refuse a session whose key may be new while the provider is away', async () => {
    await provider.verify(await provider.sign());
    provider.isAway = true;
    provider.rotate();
    const token = await provider.sign();
    for (let tried = 0; tried < 2; tried += 1) {
      await expect(provider.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });
});
