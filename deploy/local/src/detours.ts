import { loopback } from './ports.ts';
import type { ServicePlace, ServiceSurroundings } from './services.ts';

/** What the processes of the services stand on. */
export type Footing = 'postgres' | 'nats' | 'sandbox';

/**
 * Leads a process to something it stands on by another way, which can be broken for this process alone: answers the
 * port of 127.0.0.1 that the process uses in place of the address.
 */
export type Detour = (
  process: string,
  to: Footing,
  address: { host: string; port: number },
) => Promise<number>;

/** The surroundings of one process, where every address leads over its detour. */
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
    // Addresses without a path stay without one: paths are put behind them.
    return address.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
  };
  return {
    ...around,
    databaseUrl: await led('postgres', around.databaseUrl),
    nats: { ...around.nats, url: await led('nats', around.nats.url) },
    sandboxUrl: await led('sandbox', around.sandboxUrl),
  };
};
