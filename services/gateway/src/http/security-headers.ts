/** API responses are not pages, so they may not load, frame or run anything. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every response. CORS headers are absent on purpose: a key or token used by a page on another site can be
 * read by its visitors.
 * @param hstsSeconds how long browsers use TLS only; 0 where the proxy in front sets the header
 */
export const securityHeaders = (hstsSeconds: number): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': apiContentPolicy,
  ...(hstsSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}),
});
