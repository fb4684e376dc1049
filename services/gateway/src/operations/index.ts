// Every file of this folder; `npm run docs` writes the list.
export * from './get-idempotency-record.ts';
export * from './get-maintenance.ts';
export * from './list-idempotency-records.ts';
export * from './release-idempotency-record.ts';
export * from './set-maintenance.ts';
export * from './settle-idempotency-record.ts';
