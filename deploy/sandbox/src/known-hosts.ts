import type { RequestHandler } from 'express';

const ofThisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Refuses requests for an unknown host name, against DNS rebinding: a foreign page whose name resolves to this machine
 * could read the sandbox's answers in a developer's browser.
 */
export const onlyKnownHosts = (hosts: readonly string[]): RequestHandler => {
  const known = new Set([...ofThisMachine, ...hosts.map(nameOf)]);
  return (request, response, next) => {
    if (known.has(nameOf(request.headers.host ?? ''))) return next();
    const message = 'the sandbox does not answer under this name; STANZA_SANDBOX_HOSTS adds one';
    return response.status(421).json({ ok: false, error: 'unknown_host', message });
  };
};
