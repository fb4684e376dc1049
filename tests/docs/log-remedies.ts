const none = 'No action, unless it persists.';
const defect = 'Report this line: it is a bug.';
const repeated = 'No action: it is retried.';
const nats = 'Check NATS: [runbook](runbooks/nats-disconnected.md).';
const database = 'Check Postgres: [runbook](runbooks/database-unreachable.md).';
const provider = 'Check the identity provider, and its address in the settings.';
const ofOperator = 'No action: the audit log names the operator.';

/** By message, for each line of the levels `warn`, `error` and `fatal`: its cause, and the remedy for an operator. */
export const logRemedies: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  'NATS is not reachable yet': ['The process started before NATS, or has a wrong address or password.', nats],
  'NATS reports an error': [
    'The server refused a request, such as a subject without permission.',
    'None for an `_INBOX` after a restart of NATS: the caller has gone. Otherwise apply the users of this version: [upgrading](upgrading.md).',
  ],
  'a background job failed': [
    'A run of the job `job` failed with `err`.',
    'No action, unless it persists: [runbook](runbooks/background-job-failing.md).',
  ],
  'a connection could not be returned to the pool': [
    'The connection broke at the end of its transaction.',
    'No action: a new one is opened.',
  ],
  'a job failed and is retried': ['The job failed with `err`.', none],
  'a job failed for good: it is a dead letter': [
    'All attempts failed, or the receiver rejected the job.',
    'Fix the cause, then [replay it](runbooks/replay-dead-letters.md).',
  ],
  'a job failed; its lease will expire': ['The job failed before its outcome was stored.', repeated],
  'a listener of the NATS connection failed': ['A connection listener threw `err`.', defect],
  'a step after the commit failed': ['Code after a commit threw `err`; the commit stands.', defect],
  'a step of a job failed': ['One of several steps failed; the others completed.', repeated],
  'a step of the shutdown failed': [
    'A component of the process could not be closed.',
    'No action: the process exits.',
  ],
  'a subscription failed': [
    'NATS refused the subject `subject`.',
    'Apply the users of this version: [upgrading](upgrading.md).',
  ],
  'a transaction could not be rolled back': [
    'The connection broke; Postgres rolls the transaction back.',
    none,
  ],
  'an RPC reply could not be sent': [
    'The connection to NATS was closing; the caller waits until its deadline.',
    none,
  ],
  'an RPC request could not be answered': ['The reply did not match the schema of its operation.', defect],
  'an RPC request was dropped: its reply subject belongs to no caller': [
    'Something other than a service published it.',
    'Check who has a NATS password.',
  ],
  'an event could not be handled': [
    'The handler failed; its cached state was dropped and is reloaded.',
    none,
  ],
  'an idle database connection was lost': [
    'Postgres, or a proxy before it, closed the connection.',
    'No action, unless there are many.',
  ],
  'an operator resolved a dead letter': ['An operator ran the command.', ofOperator],
  'an optional subscription failed': [
    'The NATS users are those of an earlier version.',
    'Apply the users of this version: [upgrading](upgrading.md).',
  ],
  'another NATS server is not reachable yet': [
    'One server of the cluster does not respond.',
    'Check that server; the others carry the load.',
  ],
  'clock differs from the database: not ready': [
    'The clocks of this machine and of Postgres differ too much.',
    'Synchronize the clocks: [runbook](runbooks/clock-skew.md).',
  ],
  'could not start': ['`err` names what is missing.', 'Fix it; Kubernetes and compose restart the process.'],
  'disconnected from NATS': ['The connection broke or the server stopped.', nats],
  'due jobs could not be claimed': ['Postgres was not available.', database],
  exiting: ['`reason` names the lost dependency.', 'Fix it: [runbook](runbooks/restart-loop.md).'],
  'invalid RPC reply': [
    'The reply has a format that this version does not support.',
    'Check whether a service has an unsupported version: [upgrading](upgrading.md).',
  ],
  'operation failed': [
    'A request failed with `code`; `err` has the cause.',
    'Find the request by its `request_id`; report an `internal_error` as a bug.',
  ],
  'operations and handlers do not match': [
    'The build is incomplete.',
    'Rebuild the image from a clean checkout.',
  ],
  'rows of the outbox could not be deleted; they are run again': ['Postgres was not available.', repeated],
  'slow query': ['The statement took longer than 250 ms.', 'Check the load of Postgres, and locks.'],
  'storage limits could not be read: nothing is bounded': ['The organization service did not respond.', none],
  'the NATS connection is about to close': [
    'The server did not respond to pings.',
    'Find the hung server: [runbook](runbooks/nats-node-hung.md).',
  ],
  'the connection of a migration was lost': [
    'Postgres, or a proxy before it, closed the connection.',
    'Run the migration again.',
  ],
  'the database is not reachable yet': [
    'The process started before Postgres, or has a wrong address or password.',
    database,
  ],
  'the failure of a job could not be written': ['Postgres was not available.', repeated],
  'the schema lacks migrations; waiting for them': [
    'The migrations of this version are not applied.',
    'Run the migrations: [upgrading](upgrading.md).',
  ],
  'the shutdown timed out; the remaining steps are skipped': [
    'The step `step` did not end in time.',
    'No action: other processes take over the work.',
  ],
  'traces could not be sent': [
    'The OpenTelemetry endpoint did not take the spans, which are lost. It is logged once, until they are sent again.',
    'Check the collector, and `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ],
  'uncaught exception': ['Code threw an exception that nothing caught.', defect],
  'unhandled rejection': ['A promise was rejected without a handler.', defect],
  'warning of the ORM': ['TypeORM reports `reason`.', none],
  'API keys are refused: the secret that hashed them is not configured': [
    'Requests with `count` keys are answered 401: `STANZA_KEY_HASH_SECRETS` lacks the secret `hash_key_id`.',
    'Put the secret back, and restart: [rotation](rotating-keys.md#secrets-that-hash-api-keys).',
  ],
  'an organization could not be erased yet': ['A step of the erasure failed.', repeated],
  'charges of stored replies could not be repeated': [
    'The charges were reversed, and the organization no longer has enough credits.',
    'Grant the credits, or accept the loss: [runbook](runbooks/charges-reversed.md).',
  ],
  'overdue reservations could not be settled': [
    'Postgres was not available, or the balance row was locked.',
    'No action, unless it persists: [runbook](runbooks/reservations-stuck.md).',
  ],
  'the mail server did not accept a mail': [
    'The server refused the sender, the recipient or the login.',
    'Check `response_code` and the settings of the mail server.',
  ],
  'the mail server timed out': [
    'The server did not respond in time.',
    'Check the mail server. The invitation has a link to copy.',
  ],
  'the organization of a delivery is not known': [
    'The organization service did not respond; the delivery waits.',
    repeated,
  ],
  'the owner was deactivated by the identity provider; name another': [
    'The organization no longer has an owner.',
    'Add one: `npm run admin -- users add <id> --role owner`.',
  ],
  'unconfirmed charges were reversed': [
    'The gateways did not confirm in time that the responses were stored.',
    'Check the gateways: [runbook](runbooks/charges-reversed.md).',
  ],
  'usage of a limit could not be counted': ['The service that counts it did not respond.', none],
  'a thread of the engine failed': [
    'An idle thread exited, for example out of memory.',
    'No action: a new one is started.',
  ],
  'a deferred message failed unexpectedly': ['The preparation of a deferred message threw `err`.', defect],
  'a language lookup failed unexpectedly': ['The lookup of a recipient’s language threw `err`.', defect],
  'a mention lookup failed unexpectedly': ['The lookup of a user by e-mail address threw `err`.', defect],
  'a message whose reply was lost could not be looked up': [
    'The chat platform did not respond to the lookup.',
    repeated,
  ],
  'a modal failed unexpectedly': ['Opening the modal threw `err`.', defect],
  'a modal was not opened': [
    'The platform rejected it, or the data is invalid; the interaction has the reason.',
    'Fix the template or its data.',
  ],
  'a post failed unexpectedly': ['The post threw `err`; its outcome is unknown.', defect],
  'a refused token could not be recorded': ['Postgres was not available.', none],
  'a scheduled message is no longer valid': ['The stored schedule does not parse.', defect],
  'abandoned messages were ended': [
    'A process died while it posted them.',
    'Find out why: [unknown outcomes](runbooks/unknown-outcomes.md).',
  ],
  'an interaction action failed unexpectedly': ['The action threw `err`.', defect],
  'an operation could not be withdrawn': [
    'The service that ran it did not respond, and too many others are waiting.',
    'Check the service; its outcome is queried later.',
  ],
  'an operation could not be withdrawn; it is retried': ['The service that ran it did not respond.', none],
  'an outcome could not be written': [
    'Postgres was not available after a post; the message is unknown until its lookup.',
    'No action, unless it persists: [unknown outcomes](runbooks/unknown-outcomes.md).',
  ],
  'the address of a workspace could not be learned': [
    'The chat platform did not respond; messages have no link into the chat yet.',
    'Test the connection: *Connections* in the console.',
  ],
  'the chat platform refuses the token of a connection': [
    'The app was removed from the workspace, or its token was revoked.',
    'Ask the organization to reconnect the workspace: [connections](connections.md).',
  ],
  'the token of a deleted connection was not revoked': [
    'The chat platform did not respond.',
    'Remove the app from the workspace.',
  ],
  'the default partition holds events: their day cannot get its own partition': [
    'No partition was created for that day in time.',
    'Fix the job; they stay until their retention ends: [runbook](runbooks/event-partition-missing.md).',
  ],
  'the partition of today could not be created yet': [
    'A lock was held, or Postgres was not available.',
    'No action, unless it persists: [runbook](runbooks/event-partition-missing.md).',
  ],
  'a rate limit could not be counted: the request passed': ['Postgres was not available.', none],
  'a stream broke': ['The event stream failed; its client reconnects and resumes.', none],
  'an idempotency key could not be freed yet': ['Postgres was not available.', repeated],
  'an operator released an idempotency key': ['An operator ran the command.', ofOperator],
  'an operator set the maintenance mode': ['An operator ran the command.', ofOperator],
  'an operator settled an idempotency key': ['An operator ran the command.', ofOperator],
  'charges could not be confirmed yet': ['The organization service did not respond.', repeated],
  'console files could not be stored for other versions yet': ['Postgres was not available.', repeated],
  'console session ended: its refresh token cannot be opened': [
    'Its key was removed from `STANZA_CONSOLE_KEYS`.',
    'No action: the user signs in again.',
  ],
  'console session not renewed': ['The identity provider did not respond.', provider],
  'gave up confirming charges: they will be reversed': [
    'The organization service has been unresponsive for a long time.',
    'Check it: [runbook](runbooks/charges-reversed.md).',
  ],
  'gave up freeing an idempotency key: it stays blocked': [
    'Postgres has been unavailable for a long time.',
    'Release it: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'idempotent requests are blocked: see "npm run admin -- idempotency list"': [
    'Their processes died, or their responses could not be stored.',
    'Settle them: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'outcome of a keyed request does not match its operation': [
    'The service replied in a format that this gateway does not support.',
    'Check whether a service has an unsupported version: [upgrading](upgrading.md).',
  ],
  'outcome of a keyed request still unknown': ['The service that ran it did not respond.', repeated],
  'request failed': ['A request failed in the gateway with `err`.', defect],
  'request failed: a dependency is unavailable': [
    'NATS, Postgres or a service did not respond; the response has `code`.',
    'Check the dependency that `err` names.',
  ],
  'signing keys of the identity provider could not be fetched': [
    'The identity provider did not respond.',
    provider,
  ],
  'the answer of an idempotent request could not be stored: its key stays blocked': [
    'Postgres was not available after the operation.',
    'No action, unless it persists: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'the maintenance mode could not be read': [
    'Postgres was not available; the gateway keeps the last known mode.',
    none,
  ],
};
