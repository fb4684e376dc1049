import type { Dependencies } from '../../dependencies.ts';
import { forgetEvents } from '../store/events.ts';

const dayMs = 24 * 3_600_000;

/** Deletes events that happened the given number of days ago. Their deliveries are kept by a time of their own. */
export const forgetOldEvents =
  ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>, days: number) =>
  async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - days * dayMs);
    await forgetEvents(database, before);
  };
