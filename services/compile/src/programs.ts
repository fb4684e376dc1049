import { getVersionContent, metricCatalogue } from '@stanza/contracts';
import { type Metrics, newContext, type RpcClient, type Tenant } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { type Parsed, parse } from './domain/compilation.ts';

/** The version of a requested program. */
export interface VersionRequest {
  tenant: Tenant;
  versionId: string;
  /** Belongs to the template and may change under a version, so it is part of the key. */
  fallbackText: string | null;
}

/** The limits of the cache. */
export interface ProgramLimits {
  entries: number;
  /** Bytes of memory, by estimate. */
  bytes: number;
}

/** Bytes of memory for each character of a version's JSON; measured for messages of five and of fifty sections. */
const bytesOfCharacter = 35;

interface Kept {
  parsed: Parsed;
  size: number;
}

/** Caches parsed versions, which are immutable; concurrent requests for a version read and parse it once. */
export class Programs {
  readonly #rpc: RpcClient;
  readonly #kept: LRUCache<string, Kept>;
  readonly #coming = new Map<string, Promise<Parsed>>();
  readonly #seen: (outcome: 'hit' | 'miss') => void;

  constructor(rpc: RpcClient, limits: ProgramLimits, metrics: Metrics) {
    this.#rpc = rpc;
    this.#kept = new LRUCache({
      max: limits.entries,
      maxSize: limits.bytes,
      sizeCalculation: ({ size }) => size,
    });
    const lookups = metrics.counter(metricCatalogue.compile.programLookups);
    this.#seen = (outcome) => lookups.inc({ outcome });
    metrics.gauge(metricCatalogue.compile.programs, (gauge) => gauge.set(this.#kept.size));
  }

  /** The parsed version, from memory where it is cached. */
  async get(request: VersionRequest): Promise<Parsed> {
    const key = keyOf(request);
    const kept = this.#kept.get(key);
    this.#seen(kept ? 'hit' : 'miss');
    if (kept) return kept.parsed;
    const coming = this.#coming.get(key) ?? this.#load(key, request);
    this.#coming.set(key, coming);
    return coming;
  }

  /** The call has its own deadline: requests with more time left may join it. */
  async #load(key: string, { tenant, versionId, fallbackText }: VersionRequest): Promise<Parsed> {
    try {
      const { organizationId: organization_id, environment } = tenant;
      const { blocks } = await this.#rpc.call(
        getVersionContent,
        { organization_id, environment, version_id: versionId },
        newContext({ deadlineMs: getVersionContent.deadlineMs }),
      );
      const parsed = parse(blocks, fallbackText);
      const characters = JSON.stringify(blocks).length + (fallbackText?.length ?? 0);
      this.#kept.set(key, { parsed, size: characters * bytesOfCharacter });
      return parsed;
    } finally {
      this.#coming.delete(key);
    }
  }
}

const keyOf = ({ versionId, fallbackText }: VersionRequest): string =>
  fallbackText === null ? versionId : `${versionId} ${fallbackText}`;
