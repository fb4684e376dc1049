import { createServer } from 'node:http';
import { accessChanged } from '@stanza/contracts';
import { runService } from '@stanza/runtime';
import { createApp } from './app.ts';
import { settings } from './config.ts';
import { Confirmations } from './confirmations.ts';
import { credentials } from './credentials.ts';
import { startJobs } from './jobs/index.ts';
import { KeyedRequests } from './keyed-requests.ts';
import { listen } from './listen.ts';
import { gatewayMetrics } from './metrics.ts';
import { getIdempotencyRecord } from './operations/get-idempotency-record.ts';
import { listIdempotencyRecords } from './operations/list-idempotency-records.ts';
import { releaseIdempotencyRecord } from './operations/release-idempotency-record.ts';
import { settleIdempotencyRecord } from './operations/settle-idempotency-record.ts';
import { pipeline } from './pipeline/index.ts';
import { PrincipalCache } from './principal-cache.ts';
import { RateLimits } from './rate-limits.ts';
import { sessionVerifier } from './sessions/index.ts';
import { entities } from './store/entities.ts';

await runService({
  name: 'gateway',
  settings,
  entities,
  async start(kit) {
    const { database, rpc, log, clock, tracing } = kit;
    const principals = new PrincipalCache(clock);
    kit.events.subscribe(accessChanged, (event) => principals.forget(event.organization_id), {
      onGap: () => principals.forgetAll(),
    });
    const known = credentials(rpc, principals, sessionVerifier(kit.settings, { clock, log }));
    const confirmations = new Confirmations(rpc, log);
    const metrics = gatewayMetrics(kit.metrics);
    const failureDays = kit.settings.STANZA_IDEMPOTENCY_FAILURE_DAYS;
    const keyed = new KeyedRequests({ database, clock, log, metrics, failureDays });
    const rates = new RateLimits({ database, clock, log, metrics });
    const finishJobs = startJobs({ database, rpc, clock, log, keyed, metrics }, kit.every);
    const parts = {
      steps: pipeline({ forward: kit.forward, credentials: known, keyed, rates, metrics, clock }),
      confirmations,
      metrics,
      log,
      clock,
      tracing,
    };
    const server = createServer({ requireHostHeader: false }, createApp(parts, kit.condition));
    const close = await listen(server, {
      port: kit.settings.STANZA_PORT,
      host: kit.settings.STANZA_HOST,
      log,
    });
    // The last one first: confirmations are told once nobody is answered any more.
    kit.onClose(() => confirmations.flush());
    kit.onClose(finishJobs);
    kit.onClose(close);
    const blocked = { database, rpc, clock, log, failureDays };
    return {
      operations: [
        listIdempotencyRecords(blocked),
        getIdempotencyRecord(blocked),
        settleIdempotencyRecord(blocked),
        releaseIdempotencyRecord(blocked),
      ],
    };
  },
});
