import { loopback } from './ports.ts';
import type { ServicePlace, ServiceSurroundings } from './services.ts';

/** The dependencies of the services' processes. */
export type Footing = 'postgres' | 'nats' | 'sandbox';

/**
 * Routes a process to a dependency over a proxy, which can be broken for this process only. Returns the port of
 * 127.0.0.1 that replaces the address.
 */
export type Detour = (
  process: string,
  to: Footing,
  address: { host: string; port: number },
) => Promise<number>;

/** The environment of one process, with every address replaced by its detour. */
export const detoured = async (
  place: ServicePlace,
  around: ServiceSurroundings,
  detour: Detour | undefined,
): Promise<ServiceSurroundings> => {
  if (detour === undefined) return around;
  const led = async (to: Footing, address: string): Promise<string> => {
    const url = new URL(address);
    url.port = String(await detour(place.name, to, { host: url.hostname, port: Number(url.port) }));
    url.hostname = loopback;
    // Addresses without a path stay without one: paths are appended to them.
    return address.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
  };
  return {
    ...around,
    databaseUrl: await led('postgres', around.databaseUrl),
    nats: { ...around.nats, url: await led('nats', around.nats.url) },
    sandboxUrl: await led('sandbox', around.sandboxUrl),
  };
};
