import type { Batch } from '@stanza/contracts';

const reasons: Readonly<Record<NonNullable<Batch['close_reason']>, string>> = {
  window_elapsed: 'no event came in the time of silence',
  max_window: 'the longest time after its first event had passed',
  threshold: 'it had the number of events that closes it',
  size: 'it had become as large as a batch may be',
  max_wait: 'it had waited for the longest time',
  flushed: 'it was sent by hand',
};

/** Why a batch was closed, or that it is not. */
export const closingOf = ({ status, close_reason }: Batch): string =>
  close_reason === null ? (status === 'collecting' ? 'it is not closed yet' : '–') : reasons[close_reason];
