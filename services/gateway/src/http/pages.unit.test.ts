import { describe, expect, it } from '@jest/globals';
import { CodedError, confirmChatConnection, getChatConnection } from '@stanza/contracts';
import { newRequestContext } from '../testing/request-context.ts';
import { errorPageAnswer, pageAnswer, takesPages } from './answers.ts';

const pageOf = (shown: object): string => String(pageAnswer(200, Buffer.from(JSON.stringify(shown))).body);

describe('a page', () => {
  it('escapes untrusted names', () => {
    const name = `<img src=x onerror=alert(1)> "&' Co`;
    const shown = pageOf({
      title: name,
      text: [name],
      action: { label: name, href: `confirm?token="${name}` },
    });
    expect(shown).not.toContain('<img');
    expect(shown).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;&#39; Co');
    expect(shown).toContain('action="confirm?token=&quot;&lt;img');
  });

  it('has a button only with an action', () => {
    const shown = { title: 'Connect?', text: [] };
    expect(pageOf({ ...shown, action: null })).not.toContain('<form');
    expect(pageOf({ ...shown, action: { label: 'Connect', href: 'confirm?token=t' } })).toContain(
      '<form method="post" action="confirm?token=t"><button type="submit">Connect</button></form>',
    );
  });

  it('allows no script, resource or framing, and posts to this service only', () => {
    const { headers } = pageAnswer(200, Buffer.from('{"title":"t","text":[],"action":null}'));
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
  });

  it('of an error contains its code and the request id', () => {
    const { status, body } = errorPageAnswer(new CodedError('invalid_state'), 'request-1', {});
    expect(status).toBe(409);
    expect(body).toContain('invalid_state · request-1');
  });

  it('The page of an error says to try again where that helps, and gives no advice for programs', () => {
    const textOf = (code: 'invalid_state' | 'service_unavailable' | 'rate_limited'): string =>
      String(errorPageAnswer(new CodedError(code, { message: 'It failed.' }), 'request-1', {}).body);
    for (const code of ['service_unavailable', 'rate_limited'] as const) {
      expect(textOf(code)).toContain('Try again in a minute');
      expect(textOf(code)).not.toContain('Retry-After');
    }
    expect(textOf('invalid_state')).toMatch(/<p>It failed\.<\/p>\n<p>invalid_state · request-1<\/p>/);
  });

  it.each([
    ['a browser', confirmChatConnection, 'text/html,application/xhtml+xml;q=0.9', true],
    ['a program', confirmChatConnection, '*/*', false],
    ['a browser that asks for data', getChatConnection, 'text/html', false],
  ])('is the response to errors for %s: %#', (_, operation, accept, takes) => {
    expect(takesPages(operation, newRequestContext(operation, { sent: { accept } }).request)).toBe(takes);
  });
});
