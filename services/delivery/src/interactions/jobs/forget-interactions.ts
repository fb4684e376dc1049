import type { DeliverySettings } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteOldContents, deleteOldInteractions } from '../store/interaction-log.ts';

const dayMs = 24 * 3_600_000;
/** Days for which the content of a message is kept after its last update. */
const contentDays = 7;

/** Deletes interactions past the retention of their messages, and content without recent updates. */
export const forgetInteractions =
  (
    { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
    { STANZA_MESSAGE_DAYS: days }: Pick<DeliverySettings, 'STANZA_MESSAGE_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const ago = (age: number): Date => new Date(clock.now().getTime() - age * dayMs);
    await deleteOldContents(database, ago(contentDays));
    await deleteOldInteractions(database, ago(days));
  };
