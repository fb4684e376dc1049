/** Nothing that the API answers is a page, so nothing may be loaded, framed or run because of it. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every answer. There are none of CORS, on purpose: a key or token that a page on another site could use
 * is a key that its visitors can read.
 * @param hstsSeconds for how long browsers shall use TLS alone; 0 where that is said by what stands in front
 */
export const securityHeaders = (hstsSeconds: number): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': apiContentPolicy,
  ...(hstsSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}),
});
