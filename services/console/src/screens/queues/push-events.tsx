import type { Queue } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { isObject, readJson } from '../../json.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { JsonField } from '../../ui/json-field.tsx';

const example = JSON.stringify([{ service: 'api', version: '1.4.2' }], null, 2);

const eventsIn = (text: string): Record<string, unknown>[] => {
  const read = readJson(text);
  if (read.problem !== undefined) return [];
  return (Array.isArray(read.value) ? read.value : [read.value]).filter(isObject);
};

/** Pushes events by hand, to try a queue. */
export const PushEvents = ({ queue, onClose }: { queue: Queue; onClose: () => void }) => {
  const [text, setText] = useState(example);
  const pushing = useChange(api.pushEvents, onClose);
  const events = eventsIn(text);
  return (
    <FormDialog
      title={`Push events to ${queue.name}`}
      onClose={onClose}
      asked={pushing}
      submit="Push"
      disabled={events.length === 0}
      onSubmit={() => pushing.mutate({ params: { id: queue.id }, body: { events } })}
    >
      <JsonField
        label="Events"
        hint="One JSON object, or a list of up to 100. They are real: their digest is sent."
        text={text}
        onText={setText}
      />
    </FormDialog>
  );
};
