import { onStackOf } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { deliveryRow } from './deliveries.ts';
import { sendRow } from './sends.ts';

/** What the slow workspace, and the slow destinations, of one organization cost another one. */
export const neighboursBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, { seed: false }, async (bench) => [
    await sendRow(bench, mode),
    await deliveryRow(bench, mode),
  ]);
