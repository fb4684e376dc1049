import type { Batch } from '@stanza/contracts';
import { Badge, StateBadge } from '../../ui/badge.tsx';

/** How a batch stands, in the words of the screen wherever it is shown. */
export const BatchState = ({ status }: Pick<Batch, 'status'>) => {
  if (status === 'collecting') return <Badge tone="accent">open</Badge>;
  if (status === 'ready' || status === 'delivering') return <Badge tone="accent">on its way</Badge>;
  return <StateBadge state={status} />;
};
