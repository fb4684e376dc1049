import { describe, expect, it } from '@jest/globals';
import { failing, json, type Made, scripted, thrownBy } from './testing/scripted.ts';

const template = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const destinations = Array.from({ length: 250 }, (_, index) => ({ channel_id: `C${index}` }));

const accept = ({ body }: Made) => {
  const { destinations: given } = Object(body);
  return json(200, {
    success: true,
    results: given.map((destination: object) => ({ destination, success: true })),
    total_sent: given.length,
    total_failed: 0,
    remaining_credits: 1_000 - given.length,
    warnings: ['the same each time'],
  });
};

const keysOf = (made: readonly Made[]) => made.map(({ headers }) => headers.get('idempotency-key'));

describe('a bulk', () => {
  it('of a hundred is one request with the given key', async () => {
    const { stanza, made } = scripted([accept]);
    await stanza.sendBulk(template, { destinations: destinations.slice(0, 100) }, { idempotencyKey: 'all' });
    expect(keysOf(made)).toEqual(['all']);
  });

  it('of more is split into hundreds, each with a key made of the given one, and answered as one', async () => {
    const { stanza, made } = scripted([accept, accept, accept]);
    const reply = await stanza.sendBulk(
      template,
      { destinations, data: { a: 1 } },
      { idempotencyKey: 'all' },
    );
    expect(made.map(({ body }) => Object(body).destinations.length)).toEqual([100, 100, 50]);
    expect(made[2]?.body).toMatchObject({ template_id: template, data: { a: 1 } });
    expect(keysOf(made)).toEqual(['all~h1', 'all~h2', 'all~h3']);
    expect(reply.results.map(({ destination }) => destination)).toEqual(destinations);
    expect(reply).toMatchObject({
      success: true,
      total_sent: 250,
      total_failed: 0,
      remaining_credits: 950,
      warnings: ['the same each time'],
    });
  });

  it('without a list of destinations is refused by the answer', async () => {
    const { stanza, made } = scripted([failing(422, 'validation_failed')]);
    const body = JSON.parse('{ "destination": [] }');
    expect(Object(await thrownBy(stanza.sendBulk(template, body))).code).toBe('validation_failed');
    expect(made).toHaveLength(1);
  });

  it('has one random key, of which those of its requests are made', async () => {
    const { stanza, made } = scripted([accept, accept, accept]);
    await stanza.templates.sendBulk({ template_id: template, destinations });
    const first = String(keysOf(made)[0]);
    const start = first.replace('~h1', '');
    expect(keysOf(made)).toEqual([`${start}~h1`, `${start}~h2`, `${start}~h3`]);
  });

  it('reports the failure of a request as that of its destinations, once something was sent', async () => {
    const { stanza } = scripted([accept, failing(402, 'insufficient_credits'), accept]);
    const reply = await stanza.sendBulk(template, { destinations });
    expect(reply).toMatchObject({ success: false, total_sent: 150, total_failed: 100 });
    expect(reply.results).toHaveLength(250);
    expect(reply.results.slice(99, 102)).toMatchObject([
      { destination: { channel_id: 'C99' }, success: true },
      { destination: { channel_id: 'C100' }, success: false, error: 'insufficient_credits' },
      { destination: { channel_id: 'C101' }, success: false, error: 'insufficient_credits' },
    ]);
  });

  it('answers and fails with its own key, which repeats the whole', async () => {
    const given = { idempotencyKey: 'all' };
    const { stanza: one } = scripted([accept, accept, accept]);
    const reply = await one.sendBulk(template, { destinations }, given);
    expect(reply.$answer.idempotencyKey).toBe('all');
    const { stanza: failed } = scripted([failing(404, 'template_not_found')]);
    expect(await thrownBy(failed.sendBulk(template, { destinations }, given))).toMatchObject({
      code: 'template_not_found',
      idempotencyKey: 'all',
    });
    const { stanza: again, made } = scripted([failing(500, 'internal_error'), accept]);
    const few = await again.sendBulk(template, { destinations: destinations.slice(0, 2) }, given);
    expect([keysOf(made), few.$answer.idempotencyKey]).toEqual([['all', 'all'], 'all']);
    const { stanza: random, made: asked } = scripted([accept, accept, accept]);
    const { $answer } = await random.sendBulk(template, { destinations });
    expect(keysOf(asked)[0]).toBe(`${$answer.idempotencyKey}~h1`);
  });

  it('refuses a key of which none can be made for each request, before the first', async () => {
    const { stanza, made } = scripted([]);
    const call = stanza.sendBulk(template, { destinations }, { idempotencyKey: 'x'.repeat(253) });
    expect(await thrownBy(call)).toEqual(
      new TypeError(
        '`idempotencyKey` has 253 characters: for 3 requests it may have 252, since the number of each is added',
      ),
    );
    expect(made).toEqual([]);
    const { stanza: longest, made: sent } = scripted([accept, accept, accept]);
    await longest.sendBulk(template, { destinations }, { idempotencyKey: 'x'.repeat(252) });
    expect(keysOf(sent).map((key) => key?.length)).toEqual([255, 255, 255]);
  });

  it('tries destinations again that were refused without a post, as long as that brings something', async () => {
    const answering =
      (isSent: (channel: string) => boolean) =>
      ({ body }: Made) => {
        const results = Object(body).destinations.map((destination: { channel_id: string }) => {
          const success = isSent(destination.channel_id);
          return { destination, success, ...(!success && { error: 'rate_limited', retryable: true }) };
        });
        const sent = results.filter(({ success }: { success: boolean }) => success).length;
        const totals = { total_sent: sent, total_failed: results.length - sent, warnings: [] };
        return json(200, { success: false, results, remaining_credits: 9, ...totals });
      };
    const none = answering(() => false);
    const { stanza, made, pauses } = scripted([
      answering((channel) => channel === 'C1'),
      answering((channel) => channel === 'C0'),
      none,
      none,
      none,
    ]);
    const given = { destinations: destinations.slice(0, 3) };
    const reply = await stanza.sendBulk(template, given, { idempotencyKey: 'all' });
    expect(keysOf(made)).toEqual(['all', 'all~r1h1', 'all~r2h1', 'all~r3h1', 'all~r4h1']);
    expect(made.map(({ body }) => Object(body).destinations.length)).toEqual([3, 2, 1, 1, 1]);
    expect(pauses).toEqual([2_000, 2_000, 4_000, 8_000]);
    expect(reply).toMatchObject({ success: false, total_sent: 2, total_failed: 1 });
    expect(reply.results.map(({ success }) => success)).toEqual([true, true, false]);
    expect(reply.$answer.idempotencyKey).toBe('all');
  });

  it('answers what was sent where it is aborted in the pause before it tries again', async () => {
    const ending = new AbortController();
    const refusing = ({ body }: Made) => {
      ending.abort();
      const [first, ...others] = Object(body).destinations;
      const results = [
        { destination: first, success: true },
        ...others.map((destination: object) => ({
          destination,
          success: false,
          error: 'rate_limited',
          retryable: true,
        })),
      ];
      const totals = { total_sent: 1, total_failed: others.length, warnings: [] };
      return json(200, { success: false, results, remaining_credits: 9, ...totals });
    };
    const { stanza, made } = scripted([refusing]);
    const options = { idempotencyKey: 'all', signal: ending.signal };
    const reply = await stanza.sendBulk(template, { destinations: destinations.slice(0, 3) }, options);
    expect(made).toHaveLength(1);
    expect(reply).toMatchObject({ total_sent: 1, total_failed: 2 });
    expect(reply.results.map(({ error }) => error)).toEqual([undefined, 'rate_limited', 'rate_limited']);
    expect(reply.$answer.idempotencyKey).toBe('all');
  });

  it('takes an answer without results for none of Stanza', async () => {
    const { stanza } = scripted([json(200, {}), accept, json(200, { success: true }), accept]);
    const code = 'unreadable_answer';
    expect(await thrownBy(stanza.sendBulk(template, { destinations }))).toMatchObject({ code });
    const reply = await stanza.sendBulk(template, { destinations });
    expect(reply).toMatchObject({ success: false, total_sent: 150, total_failed: 100 });
    expect(reply.results[100]).toEqual({ destination: { channel_id: 'C100' }, success: false, error: code });
  });

  it('fails when its first request does', async () => {
    const { stanza, made } = scripted([failing(404, 'template_not_found')]);
    expect(await thrownBy(stanza.sendBulk(template, { destinations }))).toMatchObject({
      code: 'template_not_found',
    });
    expect(made).toHaveLength(1);
  });
});
