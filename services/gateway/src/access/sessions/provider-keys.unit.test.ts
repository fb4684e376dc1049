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

  it('are fetched once for concurrent requests', async () => {
    const tokens = await Promise.all([provider.sign(), provider.sign({ sub: 'grace' })]);
    await Promise.all(tokens.map(provider.verify));
    await provider.verify(await provider.sign({ sub: 'linus' }));
    expect(provider.asked).toBe(1);
  });

  it('are fetched again for a token signed with a new key', async () => {
    const before = await provider.sign();
    expect(await isAccepted(before)).toBe(true);
    provider.rotate();
    expect(await isAccepted(await provider.sign())).toBe(true);
    expect(await isAccepted(before)).toBe(true);
    expect(provider.asked).toBe(2);
  });

  it('invalidate tokens of a withdrawn key, including tokens verified before', async () => {
    const before = await provider.sign();
    expect(await isAccepted(before)).toBe(true);
    provider.rotate({ keep: false });
    expect(await isAccepted(await provider.sign())).toBe(true);
    expect(await isAccepted(before)).toBe(false);
  });

  it('are not fetched repeatedly for invented key ids', async () => {
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

  it('are refreshed in the background when they are old', async () => {
    const token = await provider.sign(untilNextDay);
    await provider.verify(token);
    provider.rotate({ keep: false });
    provider.clock.pass(5 * minute + 1);
    expect(await isAccepted(token)).toBe(true);
    expect(provider.asked).toBe(2);
    await provider.keys.current();
    expect(await isAccepted(token)).toBe(false);
  });

  it('serve for a day while the provider is unreachable, and no longer', async () => {
    const token = await provider.sign(untilNextDay);
    await provider.verify(token);
    provider.isAway = true;
    provider.clock.pass(24 * 60 * minute);
    expect(await isAccepted(token)).toBe(true);
    provider.clock.pass(1);
    await expect(provider.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('yield a coded 503 while unavailable, with a backoff of a second', async () => {
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

  it('do not cause the refusal of a session with an unknown key while the provider is unreachable', async () => {
    await provider.verify(await provider.sign());
    provider.isAway = true;
    provider.rotate();
    const token = await provider.sign();
    for (let tried = 0; tried < 2; tried += 1) {
      await expect(provider.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });
});
