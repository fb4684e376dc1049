import { getMaintenance as operation } from '@stanza/contracts';
import { handle, type ServiceContext } from '@stanza/runtime';
import { presentMaintenance } from '../limits/maintenance.ts';
import { readMaintenance } from '../store/maintenance.ts';

/** Shows operators whether the API is closed. */
export const getMaintenance = ({ database }: Pick<ServiceContext<unknown>, 'database'>) =>
  handle(operation, async () => presentMaintenance(await readMaintenance(database)));
