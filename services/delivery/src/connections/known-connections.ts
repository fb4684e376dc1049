import type { Database, Tenant } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { ConnectionRow } from './connection-tables.ts';
import { findConnection } from './store/connections.ts';

/** Connections in the cache of a process; their tokens stay encrypted. */
const kept = 5_000;
/** Milliseconds. */
const ttlMs = 60_000;

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/**
 * A cache of chat connections. Only for callers that verify the connection before a post, as the statement that begins a
 * message does.
 */
export class KnownConnections {
  readonly #database: Database;
  readonly #known = new LRUCache<string, ConnectionRow>({ max: kept, ttl: ttlMs });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the connection of an environment from the cache, else from the database. Only working ones are cached. */
  async find(tenant: Tenant): Promise<ConnectionRow | undefined> {
    return this.#known.get(keyOf(tenant)) ?? this.read(tenant);
  }

  /** Drops the connection of an environment from the cache, since it has changed. */
  forget(tenant: Tenant): void {
    this.#known.delete(keyOf(tenant));
  }

  /** Reads the connection of an environment from the database. */
  async read(tenant: Tenant): Promise<ConnectionRow | undefined> {
    const row = await findConnection(tenant, this.#database);
    if (row && row.revoked_at === null) this.#known.set(keyOf(tenant), row);
    else this.#known.delete(keyOf(tenant));
    return row;
  }
}
