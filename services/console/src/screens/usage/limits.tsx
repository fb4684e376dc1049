import type { getUsageLimits, ReplyOf } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

const count = new Intl.NumberFormat('en');

/** What is limited, in the words of people, in the order of the navigation. */
const kinds = [
  ['templates', 'Templates'],
  ['versions', 'Versions of one template or modal'],
  ['modals', 'Modals'],
  ['entities', 'Entities'],
  ['entity_fields', 'Fields of one entity'],
  ['sample_data', 'Pieces of sample data'],
  ['scheduled_messages', 'Active schedules'],
  ['destinations', 'Destinations'],
] as const;

interface Limit {
  name: string;
  limit: number;
  /** Undefined where the limit holds for each of many; null while the service that counts does not answer. */
  used: number | null | undefined;
}

const limitsOf = ({ stored, queues }: ReplyOf<typeof getUsageLimits>): Limit[] => [
  ...kinds.map(([kind, name]) => {
    const of: { limit: number; used?: number | null } = stored[kind];
    return { name, limit: of.limit, used: of.used };
  }),
  { name: 'Active queues', limit: queues.active, used: undefined },
];

/** From this part of a limit on, it is worth a word. */
const nearly = 0.9;

const stateOf = ({ limit, used }: Limit) => {
  if (typeof used !== 'number') return null;
  if (used >= limit) return <Badge tone="bad">full</Badge>;
  return used >= limit * nearly ? <Badge tone="notice">nearly full</Badge> : null;
};

const usedText = ({ used }: Limit): string => {
  if (used === undefined) return '';
  return used === null ? 'unknown' : count.format(used);
};

/** What the tier allows to be stored, and what is. */
export const Limits = () => (
  <Section
    title="Limits"
    about="What the tier allows, in both environments together. Beyond a limit nothing new is made, and nothing is lost: delete what is no longer needed, or ask the operator for another tier."
  >
    <Answer asked={useRead(api.getUsageLimits)}>
      {(limits) => (
        <Table
          label="Limits"
          rows={limitsOf(limits)}
          rowKey={({ name }) => name}
          columns={[
            { title: 'Limit', cell: ({ name }) => name },
            { title: 'State', cell: stateOf },
            { title: 'Used', cell: usedText, isNumber: true },
            { title: 'Allowed', cell: ({ limit }) => count.format(limit), isNumber: true },
          ]}
        />
      )}
    </Answer>
  </Section>
);
