import { getVersionContent, metricCatalogue } from '@stanza/contracts';
import { type Metrics, newContext, type RpcClient, type Tenant } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { memoryOf, sourceOf, type TemplateSource } from './runs/task.ts';

/** A requested version. */
export interface VersionRequest {
  tenant: Tenant;
  versionId: string;
  /** Belongs to the template and may change under a version, so it is part of the key. */
  fallbackText: string | null;
}

/** The limits of the cache: `STANZA_PROGRAMS` and `STANZA_PROGRAMS_MB`. Each thread of `runs` has its own. */
export interface SourceLimits {
  entries: number;
  /** Bytes of memory with the programs, by estimate. */
  bytes: number;
}

/**
 * Caches the sources of versions, which are immutable, and with each the program that is parsed from it; concurrent
 * requests for a version read it once.
 */
export class VersionSources {
  readonly #rpc: RpcClient;
  readonly #kept: LRUCache<string, TemplateSource>;
  readonly #coming = new Map<string, Promise<TemplateSource>>();
  readonly #seen: (outcome: 'hit' | 'miss') => void;

  constructor(rpc: RpcClient, limits: SourceLimits, metrics: Metrics) {
    this.#rpc = rpc;
    this.#kept = new LRUCache({
      max: limits.entries,
      maxSize: limits.bytes,
      sizeCalculation: memoryOf,
    });
    const lookups = metrics.counter(metricCatalogue.compile.programLookups);
    this.#seen = (outcome) => lookups.inc({ outcome });
    metrics.gauge(metricCatalogue.compile.programs, (gauge) => gauge.set(this.#kept.size));
  }

  /** The source of a version, from memory where it is cached. */
  async get(request: VersionRequest): Promise<TemplateSource> {
    const key = keyOf(request);
    const kept = this.#kept.get(key);
    this.#seen(kept ? 'hit' : 'miss');
    if (kept) return kept;
    const coming = this.#coming.get(key) ?? this.#load(key, request);
    this.#coming.set(key, coming);
    return coming;
  }

  /** The call has its own deadline: requests with more time left may join it. */
  async #load(key: string, { tenant, versionId, fallbackText }: VersionRequest): Promise<TemplateSource> {
    try {
      const { organizationId: organization_id, environment } = tenant;
      const { blocks } = await this.#rpc.call(
        getVersionContent,
        { organization_id, environment, version_id: versionId },
        newContext({ deadlineMs: getVersionContent.deadlineMs }),
      );
      const source = { ...sourceOf(blocks, fallbackText), key };
      this.#kept.set(key, source);
      return source;
    } finally {
      this.#coming.delete(key);
    }
  }
}

const keyOf = ({ versionId, fallbackText }: VersionRequest): string =>
  fallbackText === null ? versionId : `${versionId} ${fallbackText}`;
