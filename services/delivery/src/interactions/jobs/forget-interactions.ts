import type { DeliverySettings } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteOldContents, deleteOldInteractions } from '../store/interaction-log.ts';

/** Deletes interactions past the retention of their messages, and content without recent updates. */
export const forgetInteractions =
  (
    { database }: Pick<Dependencies, 'database'>,
    { STANZA_MESSAGE_DAYS: days }: Pick<DeliverySettings, 'STANZA_MESSAGE_DAYS'>,
  ) =>
  async (): Promise<void> => {
    await deleteOldContents(database);
    await deleteOldInteractions(database, days);
  };
