import { describe, expect, it } from '@jest/globals';
import { type Block, CodedError, type Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { runInProcess } from '@stanza/test-kit/database';
import { compileService } from '../testing/compile-service.ts';
import { contextOf, greeting, type Neighbours, somebody } from '../testing/neighbours.ts';
import { compileTemplate } from './compile-template.ts';

describe('compile-template', () => {
  const open = (blocks: Block[] = greeting, options: Parameters<Neighbours['activate']>[2] = {}) => {
    const service = compileService();
    const principal = somebody();
    const live = service.neighbours.activate(principal, blocks, options);
    const handler = compileTemplate(service);
    const compile = (body: object = {}, by: Principal = principal, context = contextOf(by)) =>
      runInProcess(
        handler,
        { params: undefined, query: undefined, body: { template_id: live.id, data: {}, ...body } },
        context,
      );
    return { ...service, principal, live, compile };
  };

  it('answers blocks, text, version and remaining credits', async () => {
    const { compile, live, neighbours } = open();
    const answer = await compile({ data: { name: 'Ada' } });
    expect(answer).toEqual({
      success: true,
      template: { id: live.id, name: 'Greeting' },
      version_id: live.versionId,
      version_number: 1,
      blocks: [{ type: 'section', block_id: 'hello', text: { type: 'mrkdwn', text: 'Hello Ada' } }],
      text: expect.stringContaining('Hello Ada'),
      warnings: [],
      chat_truncation: { fields_truncated: 0 },
      credit_log_id: expect.any(String),
      remaining_credits: 99,
    });
    expect(neighbours.charged.size).toBe(1);
  });

  it('takes its fallback text from the template', async () => {
    const { compile } = open(greeting, { fallbackText: 'News for {{name}}' });
    expect((await compile({ data: { name: 'Ada' } })).text).toBe('News for Ada');
  });

  it('warns of missing values in sentences, and counts truncated texts', async () => {
    const { compile } = open();
    const missing = await compile({});
    expect(missing.warnings).toEqual([expect.stringMatching(/^\/blocks\/0\/text\/text: `name`/)]);
    const long = await compile({ data: { name: 'x'.repeat(4_000) } });
    expect(long.chat_truncation).toEqual({ fields_truncated: 1 });
    expect(long.warnings).toHaveLength(1);
  });

  it('reads the texts of the locale, else those of the template’s own language', async () => {
    const translations = { en: { hi: 'Hello' }, de: { hi: 'Hallo' }, fr: { hi: 'Bonjour' } };
    const blocks: Block[] = [
      { type: 'section', id: 'hi', text: { type: 'mrkdwn', text: '{{@t.hi}} {{name}}' } },
      { type: 'directive', directive: '#translations', translations },
    ];
    const { compile } = open(blocks, { defaults: { locale: 'de' } });
    const said = async (locale?: string) => (await compile({ data: { name: 'Ada' }, locale })).text;
    expect(await said('fr-CA')).toBe('Bonjour Ada');
    expect(await said('pl')).toBe('Hallo Ada');
    expect(await said()).toBe('Hallo Ada');
  });

  it('passes locale and time zone to the engine', async () => {
    const text = '{{sum | number:2}} {{at | date:"short"}}';
    const { compile } = open([{ type: 'section', id: 'sum', text: { type: 'mrkdwn', text } }]);
    const data = { sum: 1234.5, at: '2026-11-21T23:30:00.000Z' };
    const german = await compile({ data, locale: 'de-DE', timezone: 'Asia/Tokyo' });
    expect(JSON.stringify(german.blocks)).toContain('1.234,50 22.11.');
    const plain = await compile({ data });
    expect(JSON.stringify(plain.blocks)).toContain('1,234.50 11/21/');
  });

  it('defaults to the locale, time zone and strictness of the template', async () => {
    const text = '{{sum | number:2}} {{at | date:"short"}}';
    const defaults = { locale: 'de-DE', timezone: 'Asia/Tokyo', strict: true };
    const { compile } = open([{ type: 'section', id: 'sum', text: { type: 'mrkdwn', text } }], { defaults });
    const data = { sum: 1234.5, at: '2026-11-21T23:30:00.000Z' };
    expect(JSON.stringify((await compile({ data })).blocks)).toContain('1.234,50 22.11.');
    const asked = await compile({ data, locale: 'en-US', timezone: 'UTC' });
    expect(JSON.stringify(asked.blocks)).toContain('1,234.50 11/21/');
    await expect(compile()).rejects.toMatchObject({ code: 'invalid_data' });
    expect((await compile({ strict: false })).warnings).toHaveLength(2);
  });

  it('answers an empty list with a warning, and charges for it', async () => {
    const { compile, neighbours } = open([
      {
        type: 'directive',
        directive: '#if',
        condition: { path: 'shown' },
        children: [{ type: 'divider' }],
      },
    ]);
    const answer = await compile({ data: { shown: false } });
    expect(answer.blocks).toEqual([]);
    expect(answer.warnings).toContain('Every block is empty: there is nothing to send.');
    expect(neighbours.charged.size).toBe(1);
  });

  it('uses the version that is live at the time of the request', async () => {
    const { compile, live, principal, neighbours } = open();
    await compile();
    const next = neighbours.activate(principal, [{ type: 'divider', id: 'd' }], { id: live.id });
    expect(await compile()).toMatchObject({ version_id: next.versionId, blocks: [{ type: 'divider' }] });
  });

  it('accepts the template id in upper case', async () => {
    const { compile, live } = open();
    expect((await compile({ template_id: live.id.toUpperCase() })).template.id).toBe(live.id);
  });

  describe('charges nothing', () => {
    it('when a value is missing in strict mode, and lists each', async () => {
      const { compile, neighbours } = open();
      await expect(compile({ strict: true })).rejects.toMatchObject({
        code: 'invalid_data',
        facts: { details: expect.stringMatching(/^\/blocks\/0\/text\/text: /) },
      });
      expect(neighbours.charged.size).toBe(0);
    });

    it('when the blocks are too many, naming the limit and the count', async () => {
      const children = [{ type: 'divider' }];
      const { compile, neighbours } = open([
        { type: 'directive', directive: '#each', path: 'items', children },
      ]);
      const refused = compile({ data: { items: Array.from({ length: 60 }, (_, index) => index) } });
      await expect(refused).rejects.toMatchObject({ code: 'compilation_failed' });
      const error = await refused.catch((it: unknown) => it);
      expect(error instanceof CodedError && JSON.parse(error.facts.error_details ?? '[]')).toEqual([
        expect.objectContaining({ pointer: '/blocks', limit: 'message.blocks', max: 50, actual: 60 }),
      ]);
      expect(neighbours.charged.size).toBe(0);
    });

    it.each([
      ['locale', { locale: 'not a locale' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
    ])('when the %s is unknown', async (_, body) => {
      const { compile, neighbours } = open();
      await expect(compile(body)).rejects.toBeInstanceOf(CodedError);
      expect(neighbours.charged.size).toBe(0);
    });

    it('for an unknown template, one without a live version, or an archived one', async () => {
      const { compile, principal, neighbours } = open();
      const preview = { ...principal, environment: 'preview' as const };
      await expect(compile({ template_id: newId() })).rejects.toMatchObject({ code: 'template_not_found' });
      await expect(compile({}, somebody())).rejects.toMatchObject({ code: 'template_not_found' });
      await expect(compile({}, preview)).rejects.toMatchObject({ code: 'template_not_found' });
      for (const code of ['version_not_found', 'invalid_state'] as const) {
        const template_id = neighbours.retire(principal, code);
        await expect(compile({ template_id })).rejects.toMatchObject({ code });
      }
      expect(neighbours.charged.size).toBe(0);
    });
  });

  it('answers an error when it cannot be charged', async () => {
    const { compile, neighbours } = open();
    neighbours.refusal = { charged: false, code: 'insufficient_credits' };
    await expect(compile()).rejects.toMatchObject({ code: 'insufficient_credits' });
  });

  it('requested twice by one operation, is charged once', async () => {
    const { compile, principal, neighbours } = open();
    const context = contextOf(principal);
    const [first, again] = await Promise.all([
      compile({}, principal, context),
      compile({}, principal, context),
    ]);
    expect(again?.credit_log_id).toBe(first?.credit_log_id);
    expect(neighbours.credits).toBe(99);
  });

  it('needs two calls for any number of concurrent compiles of one organization', async () => {
    const { compile, rpc } = open();
    await compile();
    const before = rpc.calls.length;
    await Promise.all(Array.from({ length: 64 }, () => compile()));
    const operations = rpc.calls.slice(before).map((it) => it.operation);
    expect(operations).toEqual(['resolve-live-versions', 'charge-credits']);
  });
});
