import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useTemplates } from '../template-names.ts';

/** Data of a digest that comes from its events. */
const ofEvents: ReadonlySet<string> = new Set(['events', 'event_count', 'first', 'last']);

/** A choice that is no id. */
const isNew = 'new';

/** Chooses the template of a queue's digest, and says where one would leave the events out. */
export const DigestTemplate = ({
  chosen,
  required,
  onChoose,
  onNew,
}: {
  chosen: string;
  required: boolean;
  onChoose: (template: string) => void;
  /** Begins a template for digests. */
  onNew: () => void;
}) => {
  const mayCreate = useMay('templates:create');
  const mayActivate = useMay('templates:activate');
  const { optionsWith } = useTemplates();
  const read = useRead(api.readInputs, { params: { id: chosen } }, { enabled: chosen !== '' });
  const fields = read.isPlaceholderData ? undefined : read.data?.fields;
  const isBlind = fields !== undefined && !fields.some(({ name }) => ofEvents.has(name));
  return (
    <SelectField
      label="Template"
      required={required}
      hint="Its live version makes the digest: it repeats a block for each of the list “events”"
      problem={
        isBlind
          ? 'This template does not read the list “events”, so its digest would say nothing of them. The last choice of the list begins a template that does.'
          : undefined
      }
      value={chosen}
      options={[
        ['', 'Choose one'],
        ...optionsWith(chosen),
        ...(mayCreate && mayActivate ? [[isNew, 'New digest template…'] as const] : []),
      ]}
      onChange={({ target }) => (target.value === isNew ? onNew() : onChoose(target.value))}
    />
  );
};
