import { maintenanceChanged, setMaintenance as operation } from '@stanza/contracts';
import { handle, type ServiceContext } from '@stanza/runtime';
import { presentMaintenance } from '../limits/maintenance.ts';
import { writeMaintenance } from '../store/maintenance.ts';

/** Closes the API or opens it again: first stored, so that it survives a restart, then announced to all gateways. */
export const setMaintenance = ({
  database,
  outbox,
  clock,
  log,
}: Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'clock' | 'log'>) =>
  handle(operation, async ({ input }) => {
    const row = await database.transaction(async (tx) => {
      const written = await writeMaintenance(tx, input, clock.now());
      await outbox.add(tx, maintenanceChanged, {});
      return written;
    });
    log.warn({ on: row.is_on }, 'an operator set the maintenance mode');
    return presentMaintenance(row);
  });
