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
const maxRows = 5_000;
const pageRows = 100;

/** A page of a search may be empty, so that rows alone would not end it. */
const maxPages = 100;

/** Saves the messages that the filters leave, in the order of the list, as a file for a spreadsheet. */
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
      let cursor: string | null | undefined;
      let pages = 0;
      do {
        // By its cursor, since messages arrive meanwhile, and a page of a filter counts only what it has looked at.
        const page = await call(api.listMessages, place, {
          query: { ...query, limit: pageRows, ...(cursor != null && { cursor }) },
        });
        all.push(...page.data);
        cursor = page.next_cursor;
        pages += 1;
      } while (cursor != null && all.length < maxRows && pages < maxPages);
      return { rows: all.map(rowOf), isWhole: cursor == null };
    },
    onSuccess: ({ rows, isWhole }) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }));
      link.download = 'messages.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      say(
        isWhole
          ? undefined
          : `The first ${rows.length} messages of the list are in the file; there may be more.`,
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
