// Every file of this folder; `npm run docs` writes the list.
export * from './count-daily-events.ts';
export * from './create-queue.ts';
export * from './delete-queue.ts';
export * from './flush-queue.ts';
export * from './get-batch.ts';
export * from './get-batch-content.ts';
export * from './get-queue.ts';
export * from './list-batch-data.ts';
export * from './list-batches.ts';
export * from './list-destination-queues.ts';
export * from './list-queues.ts';
export * from './list-template-queues.ts';
export * from './match-queues.ts';
export * from './push-events.ts';
export * from './retry-batch.ts';
export * from './update-queue.ts';
