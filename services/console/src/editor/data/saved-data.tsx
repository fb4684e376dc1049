import type { SampleDataSummary } from '@stanza/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../api/operations.ts';
import { request } from '../../api/request.ts';
import { useSay } from '../../api/say.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/form.tsx';
import styles from './data.module.css';
import type { Data } from './data-values.ts';

/** The choice of what a version was written with; no id is like it. */
const written = 'written';

/** Data that was saved for a template under a name: loaded, and saved from what is in the form. */
export const SavedData = ({
  templateId,
  sample,
  data,
  onLoad,
}: {
  templateId: string;
  /** What the version was written with, which is offered as well. */
  sample: Data | null;
  data: Data;
  onLoad: (data: Data) => void;
}) => {
  const { place, may } = useActing();
  const queries = useQueryClient();
  const say = useSay();
  const queryKey = ['saved-data', place, templateId];
  const [name, setName] = useState<string>();
  const hint = useId();
  const saved = useQuery({
    queryKey,
    queryFn: () =>
      request<{ data: SampleDataSummary[] }>('GET', '/v1/sample-data', {
        place,
        query: { template_id: templateId, limit: 100 },
      }),
    enabled: may('sample-data:read'),
  });
  const list = saved.data?.data ?? [];
  const load = useMutation({
    mutationFn: (id: string) => call(api.getSample, place, { params: { id } }),
    onSuccess: (one) => onLoad(one.data),
  });
  const called = name?.trim() ?? '';
  const known = list.find((one) => one.name === called);
  const save = useMutation({
    mutationFn: (title: string): Promise<unknown> =>
      known === undefined
        ? request('POST', '/v1/sample-data', { place, body: { name: title, data, template_id: templateId } })
        : call(api.updateSample, place, { params: { id: known.id }, body: { data } }),
    onSuccess: async (_, title) => {
      setName(undefined);
      say(`The data is saved as “${title}”.`);
      await queries.invalidateQueries({ queryKey });
    },
  });
  const send = (): void => {
    if (called !== '' && !save.isPending) save.mutate(called);
  };
  const error = save.error ?? load.error ?? saved.error;
  return (
    <div className={styles.saved}>
      {(list.length > 0 || sample !== null) && (
        <label>
          <span className="visually-hidden">Saved data</span>
          <select
            value=""
            onChange={({ target }) =>
              sample !== null && target.value === written ? onLoad(sample) : load.mutate(target.value)
            }
          >
            <option value="">Load saved data…</option>
            {sample !== null && <option value={written}>The data of the editor</option>}
            {list.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {name === undefined ? (
        may('sample-data:write') && (
          <Button look="quiet" onClick={() => setName('')}>
            Save data
          </Button>
        )
      ) : (
        // No form: it may stand in one, and a browser reloads the page at the end of a form inside of another.
        <div className={styles.naming}>
          <input
            aria-describedby={hint}
            // biome-ignore lint/a11y/noAutofocus: the form was asked for to be typed into
            autoFocus
            aria-label="Name of the data"
            placeholder="Name, as in “A big order”"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          <Button busy={save.isPending} disabled={called === ''} onClick={send}>
            {known === undefined ? 'Save' : 'Replace'}
          </Button>
          <Button look="quiet" onClick={() => setName(undefined)}>
            Cancel
          </Button>
          <p id={hint} className={styles.hint} aria-live="polite">
            {known !== undefined && 'Data is saved under this name. Replace overwrites it.'}
          </p>
        </div>
      )}
      <Problem error={error} />
    </div>
  );
};
