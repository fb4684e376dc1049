import { describe, expect, it } from '@jest/globals';
import express, { type Request } from 'express';
import { ownAddress } from './sign-in.ts';

const origin = 'https://stanza.example.com';

/** A request for the sign-in page, as the router of the console sees it. */
const requestTo = (target: string, host: string): Request =>
  Object.create(express.request, {
    headers: { value: { host } },
    url: { value: new URL(target, origin).href.replace(/^.*\/console\/auth/, '') },
    baseUrl: { value: '/console/auth' },
    originalUrl: { value: target },
  });

describe('the console’s own address of a request', () => {
  it('is not needed where the browser is there', () => {
    expect(ownAddress(requestTo('/console/auth/sign-in', 'stanza.example.com'), origin)).toBeUndefined();
  });

  it('keeps path and query', () => {
    const target = '/console/auth/sign-in?return_to=%2Fconsole%2Fa';
    expect(ownAddress(requestTo(target, '127.0.0.1:8787'), origin)).toBe(
      `${origin}/console/auth/sign-in?return_to=%2Fconsole%2Fa&led=1`,
    );
  });

  it('lies at the console’s origin whatever host the request line names', () => {
    const target = 'http://elsewhere.example/console/auth/sign-in?a=1';
    expect(ownAddress(requestTo(target, 'elsewhere.example'), origin)).toBe(
      `${origin}/console/auth/sign-in?a=1&led=1`,
    );
  });

  it('is refused the second time, where a proxy does not hand on the Host of the browser', () => {
    const request = requestTo('/console/auth/sign-in?led=1', 'gateway');
    expect(() => ownAddress(request, origin)).toThrow('STANZA_CONSOLE_URL');
  });
});
