const none = 'Nothing, unless it lasts.';
const defect = 'Report it with this line: it is a defect.';
const repeated = 'Nothing: it is done again.';
const nats = 'Look at NATS: [runbook](runbooks/nats-disconnected.md).';
const database = 'Look at Postgres: [runbook](runbooks/database-unreachable.md).';
const provider = 'Look at the identity provider, and at the address of it in the settings.';
const ofOperator = 'Nothing: the audit log names the operator.';

/** By message, for each line of the levels `warn`, `error` and `fatal`: why it is written, and what an operator does. */
export const logRemedies: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  'NATS is not reachable yet': ['The process starts before NATS, or has a wrong address or password.', nats],
  'NATS reports an error': [
    'The server has refused something, as a subject that the user has no right to.',
    'Apply the users of this version: [upgrading](upgrading.md).',
  ],
  'a background job failed': [
    'A run of the job `job` ended with `err`.',
    'Nothing, unless it lasts: [runbook](runbooks/background-job-failing.md).',
  ],
  'a connection could not be returned to the pool': [
    'The connection broke at the end of its transaction.',
    'Nothing: a new one is opened.',
  ],
  'a job failed and is retried': ['The work failed with `err`.', none],
  'a job failed for good: it is a dead letter': [
    'All tries of the work have failed.',
    'Mend the cause, then [replay it](runbooks/replay-dead-letters.md).',
  ],
  'a job failed; its lease will expire': ['The work failed before its outcome could be written.', repeated],
  'a listener of the NATS connection failed': ['Code that follows the connection threw `err`.', defect],
  'a step after the commit failed': ['What follows a commit threw `err`; the commit stands.', defect],
  'a step of a job failed': ['One of several steps failed; the others are done.', repeated],
  'a step of the shutdown failed': [
    'A part of the process could not be closed.',
    'Nothing: the process ends.',
  ],
  'a subscription failed': [
    'NATS has refused the subject `subject`.',
    'Apply the users of this version: [upgrading](upgrading.md).',
  ],
  'a transaction could not be rolled back': [
    'The connection broke; Postgres takes the transaction back by itself.',
    none,
  ],
  'an RPC reply could not be sent': [
    'The connection to NATS was closing; the caller’s deadline ends its wait.',
    none,
  ],
  'an RPC request could not be answered': ['The answer was not in the form of its operation.', defect],
  'an RPC request was dropped: its reply subject belongs to no caller': [
    'Something other than a service has published it.',
    'Look for who has a NATS password.',
  ],
  'an event could not be handled': [
    'The handler failed; what it keeps in memory was dropped and is read again.',
    none,
  ],
  'an idle database connection was lost': [
    'Postgres, or what stands before it, has closed the connection.',
    'Nothing, unless there are many of them.',
  ],
  'an operator resolved a dead letter': ['An operator ran the command.', ofOperator],
  'an optional subscription failed': [
    'The users of NATS are those of an earlier version.',
    'Apply the users of this version: [upgrading](upgrading.md).',
  ],
  'another NATS server is not reachable yet': [
    'One server of the cluster does not answer.',
    'Look at that server; the others serve.',
  ],
  'clock differs from the database: not ready': [
    'The clocks of this machine and of Postgres differ too much.',
    'Mend the clocks: [runbook](runbooks/clock-skew.md).',
  ],
  'could not start': [
    '`err` says what was missing.',
    'Mend it; the process starts again by itself under Kubernetes and compose.',
  ],
  'disconnected from NATS': ['The connection broke or the server stopped.', nats],
  'due jobs could not be claimed': ['Postgres was not available.', database],
  exiting: [
    '`reason` says what the process cannot go on without.',
    'Mend it: [runbook](runbooks/restart-loop.md).',
  ],
  'invalid RPC reply': [
    'The answer has another form than this version knows.',
    'Look whether a service has an unsupported version: [upgrading](upgrading.md).',
  ],
  'operation failed': [
    'A request failed with `code`; `err` has the cause.',
    'Find the request by its `request_id`; `internal_error` is a defect to report.',
  ],
  'operations and handlers do not match': [
    'The build is not whole.',
    'Build the image again from a clean checkout.',
  ],
  'rows of the outbox could not be deleted; they are run again': ['Postgres was not available.', repeated],
  'slow query': ['The statement took longer than 250 ms.', 'Look at the load of Postgres, and at locks.'],
  'storage limits could not be read: nothing is bounded': ['The organization service did not answer.', none],
  'the NATS connection is about to close': [
    'The server has not answered pings.',
    'Look for a hung server: [runbook](runbooks/nats-node-hung.md).',
  ],
  'the connection of a migration was lost': [
    'Postgres, or what stands before it, has closed the connection.',
    'Run the migration again.',
  ],
  'the database is not reachable yet': [
    'The process starts before Postgres, or has a wrong address or password.',
    database,
  ],
  'the failure of a job could not be written': ['Postgres was not available.', repeated],
  'the schema lacks migrations; waiting for them': [
    'The migrations of this version were not applied.',
    'Run the migrations: [upgrading](upgrading.md).',
  ],
  'the shutdown timed out; the remaining steps are skipped': [
    'The step `step` did not end in time.',
    'Nothing: other processes take over the work.',
  ],
  'uncaught exception': ['Code threw where nothing catches.', defect],
  'unhandled rejection': ['A promise failed that nothing awaited.', defect],
  'warning of the ORM': ['TypeORM says `reason`.', none],
  'an organization could not be erased yet': ['A step of the erasure failed.', repeated],
  'charges of stored replies could not be repeated': [
    'The charges of replies were reversed, and the organization has too few credits now.',
    'Grant the credits, or accept the loss: [runbook](runbooks/charges-reversed.md).',
  ],
  'overdue reservations could not be settled': [
    'Postgres was not available, or the row of the balance was locked.',
    'Nothing, unless it lasts: [runbook](runbooks/reservations-stuck.md).',
  ],
  'the mail server did not accept a mail': [
    'The server has refused the sender, the recipient or the sign-in.',
    'Look at `response_code` and at the settings of the mail server.',
  ],
  'the mail server timed out': [
    'The server did not answer in time.',
    'Look at the mail server. The invitation has a link to copy.',
  ],
  'the owner was deactivated by the identity provider; name another': [
    'The organization has no owner any more.',
    'Add one: `npm run admin -- users add <id> --role owner`.',
  ],
  'unconfirmed charges were reversed': [
    'The gateways did not confirm in time that the answers were stored.',
    'Look at the gateways: [runbook](runbooks/charges-reversed.md).',
  ],
  'usage of a limit could not be counted': ['The service that counts it did not answer.', none],
  'a thread of the engine failed': [
    'A thread without work ended, as for want of memory.',
    'Nothing: a new one is started.',
  ],
  'a deferred message failed unexpectedly': ['The preparation of a deferred message threw `err`.', defect],
  'a language lookup failed unexpectedly': ['The lookup of a recipient’s language threw `err`.', defect],
  'a mention lookup failed unexpectedly': ['The lookup of a person by e-mail address threw `err`.', defect],
  'a message whose reply was lost could not be looked up': [
    'The chat platform did not answer the lookup.',
    repeated,
  ],
  'a modal failed unexpectedly': ['Opening the modal threw `err`.', defect],
  'a modal was not opened': [
    'The platform or the data refused it; the interaction has the reason.',
    'Mend the template or its data.',
  ],
  'a post failed unexpectedly': ['The post threw `err`; its outcome counts as unknown.', defect],
  'a refused token could not be recorded': ['Postgres was not available.', none],
  'a scheduled message is no longer valid': ['The stored schedule does not parse.', defect],
  'abandoned messages were ended': [
    'A process died during their posts.',
    'Look why: [unknown outcomes](runbooks/unknown-outcomes.md).',
  ],
  'an interaction action failed unexpectedly': ['The action threw `err`.', defect],
  'an operation could not be withdrawn': [
    'The service that ran it did not answer, and too many others wait.',
    'Look at the service; its outcome is asked for later.',
  ],
  'an operation could not be withdrawn; it is retried': ['The service that ran it did not answer.', none],
  'an outcome could not be written': [
    'Postgres was not available after a post; the message counts as unknown until it is looked up.',
    'Nothing, unless it lasts: [unknown outcomes](runbooks/unknown-outcomes.md).',
  ],
  'the address of a workspace could not be learned': [
    'The chat platform did not answer; messages have no link into the chat yet.',
    'Test the connection: *Connections* in the console.',
  ],
  'the chat platform refuses the token of a connection': [
    'The app was removed from the workspace, or its token was revoked.',
    'Have the organization connect the workspace again: [connections](connections.md).',
  ],
  'the token of a deleted connection was not revoked': [
    'The chat platform did not answer.',
    'Remove the app from the workspace.',
  ],
  'the default partition holds events: their day cannot get its own partition': [
    'No partition was made for that day in time.',
    'Move them: [runbook](runbooks/event-partition-missing.md).',
  ],
  'the partition of today could not be created yet': [
    'A lock was held, or Postgres was not available.',
    'Nothing, unless it lasts: [runbook](runbooks/event-partition-missing.md).',
  ],
  'a rate limit could not be counted: the request passed': ['Postgres was not available.', none],
  'a stream broke': ['The stream of events failed; its client connects again where it was.', none],
  'an idempotency key could not be freed yet': ['Postgres was not available.', repeated],
  'an operator released an idempotency key': ['An operator ran the command.', ofOperator],
  'an operator set the maintenance mode': ['An operator ran the command.', ofOperator],
  'an operator settled an idempotency key': ['An operator ran the command.', ofOperator],
  'charges could not be confirmed yet': ['The organization service did not answer.', repeated],
  'console files could not be stored for other versions yet': ['Postgres was not available.', repeated],
  'console session ended: its refresh token cannot be opened': [
    'Its key was taken out of `STANZA_CONSOLE_KEYS`.',
    'Nothing: the person signs in again.',
  ],
  'console session not renewed': ['The identity provider did not answer.', provider],
  'gave up confirming charges: they will be reversed': [
    'The organization service has not answered for long.',
    'Look at it: [runbook](runbooks/charges-reversed.md).',
  ],
  'gave up freeing an idempotency key: it stays blocked': [
    'Postgres has not been available for long.',
    'Release it: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'idempotent requests are blocked: see "npm run admin -- idempotency list"': [
    'Their processes died, or their answers could not be stored.',
    'Settle them: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'outcome of a keyed request does not match its operation': [
    'The service answered in a form that this gateway does not know.',
    'Look whether a service has an unsupported version: [upgrading](upgrading.md).',
  ],
  'outcome of a keyed request still unknown': ['The service that ran it did not answer.', repeated],
  'request failed': ['A request failed in the gateway with `err`.', defect],
  'request failed: a dependency is unavailable': [
    'NATS, Postgres or a service did not answer; the caller was told to repeat the request.',
    'Look at what `err` names.',
  ],
  'signing keys of the identity provider could not be fetched': [
    'The identity provider did not answer.',
    provider,
  ],
  'the answer of an idempotent request could not be stored: its key stays blocked': [
    'Postgres was not available after the operation.',
    'Nothing, unless it lasts: [runbook](runbooks/settle-blocked-requests.md).',
  ],
  'the maintenance mode could not be read': [
    'Postgres was not available; the gateway keeps the mode that it knows.',
    none,
  ],
};
