import type { getUsageLimits, ReplyOf } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

const count = new Intl.NumberFormat('en');

const amountIn = (unit: 'kilobyte' | 'megabyte' | 'gigabyte') =>
  new Intl.NumberFormat('en', { style: 'unit', unit, maximumFractionDigits: 1 });

const kilobytes = amountIn('kilobyte');
const megabytes = amountIn('megabyte');
const gigabytes = amountIn('gigabyte');

/** An amount of bytes as people read it. */
const size = (bytes: number): string => {
  if (bytes >= 1e9) return gigabytes.format(bytes / 1e9);
  return bytes >= 1e6 ? megabytes.format(bytes / 1e6) : kilobytes.format(bytes / 1e3);
};

/** The kinds whose figures are bytes. */
const inBytes: ReadonlySet<string> = new Set(['bytes', 'scheduled_data_bytes']);

/** What is limited, in the words of people, in the order of the navigation. */
const kinds = [
  ['templates', 'Templates'],
  ['versions', 'Versions of one template or modal'],
  ['modals', 'Modals'],
  ['entities', 'Entities'],
  ['entity_fields', 'Fields of one entity'],
  ['sample_data', 'Pieces of sample data'],
  ['scheduled_messages', 'Active schedules'],
  ['scheduled_data_bytes', 'Data of active schedules'],
  ['destinations', 'Destinations'],
  ['queues', 'Queues, active or not'],
  ['api_keys', 'API keys'],
  ['invitations', 'Pending invitations'],
  ['members', 'Members, also deactivated ones'],
  ['bytes', 'Stored contents'],
] as const;

interface Limit {
  name: string;
  limit: number;
  /** Undefined where the limit holds for each of many; null while the service that counts does not answer. */
  used: number | null | undefined;
  /** The figure in words. */
  text: (figure: number) => string;
}

const limitsOf = ({ stored, queues }: ReplyOf<typeof getUsageLimits>): Limit[] => [
  ...kinds.flatMap(([kind, name]) => {
    // A service of the previous version says nothing of a kind that it does not know.
    const of: { limit: number; used?: number | null } | undefined = stored[kind];
    return of
      ? [{ name, limit: of.limit, used: of.used, text: inBytes.has(kind) ? size : count.format }]
      : [];
  }),
  { name: 'Active queues', limit: queues.active, used: undefined, text: count.format },
];

/** From this part of a limit on, it is worth a word. */
const nearly = 0.9;

const stateOf = ({ limit, used }: Limit) => {
  if (typeof used !== 'number') return null;
  if (used >= limit) return <Badge tone="bad">full</Badge>;
  return used >= limit * nearly ? <Badge tone="notice">nearly full</Badge> : null;
};

const usedText = ({ used, text }: Limit): string => {
  if (used === undefined) return '–';
  return used === null ? 'unknown' : text(used);
};

/** What the tier allows to be stored, and what is. */
export const Limits = () => (
  <Section
    title="Limits"
    about="What the tier allows, in both environments together. Beyond a limit nothing new is made, and nothing is lost: delete what is no longer needed, or ask the operator for another tier."
  >
    <Answer read={useRead(api.getUsageLimits)}>
      {(limits) => (
        <Table
          label="Limits"
          isDense
          rows={limitsOf(limits)}
          rowKey={({ name }) => name}
          columns={[
            { title: 'Limit', cell: ({ name }) => name },
            { title: 'State', cell: stateOf },
            { title: 'Used', cell: usedText, isNumber: true },
            { title: 'Allowed', cell: ({ limit, text }) => text(limit), isNumber: true },
          ]}
        />
      )}
    </Answer>
  </Section>
);
