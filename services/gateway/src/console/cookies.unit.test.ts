import { describe, expect, it } from '@jest/globals';
import { cookiesFor, readCookie, setCookie } from './cookies.ts';

describe('the cookies of the console', () => {
  it('are bound to their origin and to TLS where that is, and never read by scripts', () => {
    const { session, signIn, flags } = cookiesFor('https://stanza.example.com');
    expect([session, signIn]).toEqual(['__Host-stanza_session', '__Host-stanza_sign_in']);
    expect(setCookie(session, 'value', flags)).toBe(
      '__Host-stanza_session=value; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(setCookie(signIn, '', flags, 0)).toMatch(/; Secure; Max-Age=0$/);
  });

  it('go without TLS on this machine alone, under names that no origin with TLS takes', () => {
    const { session, flags } = cookiesFor('http://127.0.0.1:8787');
    expect(session).toBe('stanza_session');
    expect(flags).toBe('Path=/; HttpOnly; SameSite=Lax');
  });

  it('count once: a second one of the same name makes both worth nothing', () => {
    expect(readCookie('a=1; stanza_session=x; b=2', 'stanza_session')).toBe('x');
    expect(readCookie('stanza_session=x; stanza_session=y', 'stanza_session')).toBeUndefined();
    expect(readCookie('not_stanza_session=x', 'stanza_session')).toBeUndefined();
    expect(readCookie('stanza_session=', 'stanza_session')).toBeUndefined();
    expect(readCookie(undefined, 'stanza_session')).toBeUndefined();
  });
});
