import type { AnyHandler, DeadLetterNeeds } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { countDailyEvents } from './count-daily-events.ts';
import { createQueue } from './create-queue.ts';
import { deleteQueue } from './delete-queue.ts';
import { flushQueue } from './flush-queue.ts';
import { getBatch } from './get-batch.ts';
import { getBatchContent } from './get-batch-content.ts';
import { getQueue } from './get-queue.ts';
import { listBatches } from './list-batches.ts';
import { listDestinationQueues } from './list-destination-queues.ts';
import { listQueueIngestDeadLetters } from './list-queue-ingest-dead-letters.ts';
import { listQueues } from './list-queues.ts';
import { listTemplateQueues } from './list-template-queues.ts';
import { pushEvents } from './push-events.ts';
import { resolveQueueIngestDeadLetter } from './resolve-queue-ingest-dead-letter.ts';
import { retryBatch } from './retry-batch.ts';
import { updateQueue } from './update-queue.ts';

/** Every operation of the service. */
export const operations = (dependencies: Dependencies & DeadLetterNeeds): AnyHandler[] => [
  countDailyEvents(dependencies),
  createQueue(dependencies),
  listQueues(dependencies),
  listTemplateQueues(dependencies),
  listDestinationQueues(dependencies),
  getQueue(dependencies),
  updateQueue(dependencies),
  deleteQueue(dependencies),
  pushEvents(dependencies),
  listBatches(dependencies),
  getBatch(dependencies),
  getBatchContent(dependencies),
  flushQueue(dependencies),
  retryBatch(dependencies),
  listQueueIngestDeadLetters(dependencies),
  resolveQueueIngestDeadLetter(dependencies),
];
