import type { listMessages, Message } from '@stanza/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { call, type Input } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/form.tsx';
import { csvOf } from './csv.ts';

type Query = NonNullable<Input<typeof listMessages>['query']>;

/** More rows than this are for a program: the API pages through all of them. */
const mostRows = 5_000;
const pageRows = 100;

/** Saves the messages that the filters leave, the newest first, as a file for a spreadsheet. */
export const ExportMessages = ({
  query,
  rowOf,
}: {
  query: Query;
  rowOf: (message: Message) => Readonly<Record<string, string | number>>;
}) => {
  const { place } = useActing();
  const [said, say] = useState<string>();
  const saving = useMutation({
    mutationFn: async () => {
      const all: Message[] = [];
      let total = 0;
      do {
        const page = await call(api.listMessages, place, {
          query: { ...query, offset: all.length, limit: pageRows },
        });
        ({ total } = page.pagination);
        all.push(...page.data);
        if (page.data.length === 0) break;
      } while (all.length < Math.min(total, mostRows));
      return { rows: all.map(rowOf), total };
    },
    onSuccess: ({ rows, total }) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }));
      link.download = 'messages.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      say(
        rows.length < total ? `The newest ${rows.length} of ${total} messages are in the file.` : undefined,
      );
    },
  });
  return (
    <>
      <Button busy={saving.isPending} onClick={() => saving.mutate()}>
        Export as CSV
      </Button>
      {said && <p role="status">{said}</p>}
      <Problem error={saving.error} />
    </>
  );
};
