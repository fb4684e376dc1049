import type { RequestHandler } from 'express';

const ofThisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Refuses requests for a name that is not the sandbox's: a page elsewhere may let its own name lead to this machine, and
 * would then read in the browser of a developer what the sandbox answers.
 */
export const onlyKnownHosts = (hosts: readonly string[]): RequestHandler => {
  const known = new Set([...ofThisMachine, ...hosts.map(nameOf)]);
  return (request, response, next) => {
    if (known.has(nameOf(request.headers.host ?? ''))) return next();
    const message = 'the sandbox is not reached under this name; STANZA_SANDBOX_HOSTS adds one';
    return response.status(421).json({ ok: false, error: 'unknown_host', message });
  };
};
