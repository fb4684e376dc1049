import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import type { TemplateAndLive } from '../versions/api.ts';

/** The key by which programs send the template. It can be changed until a version has been live. */
export const TemplateKey = ({ template: { id, key, current_version } }: { template: TemplateAndLive }) => {
  const mayChange = useMay('templates:update') && current_version === null;
  const [typed, type] = useState<string>();
  const updating = useChange(api.updateTemplate, () => type(undefined));
  if (!mayChange) {
    return (
      <p>
        Key <code>{key}</code>: programs send the template by it, so it stays as it is once a version was
        live.
      </p>
    );
  }
  return (
    <div>
      <TextField
        label="Key"
        hint="Programs send the template by it. It stays as it is from the first version on that is live."
        value={typed ?? key}
        onChange={({ target }) => type(target.value)}
      />
      {typed !== undefined && typed !== key && (
        <Button
          busy={updating.isPending}
          onClick={() => updating.mutate({ params: { id }, body: { key: typed } })}
        >
          Change the key
        </Button>
      )}
      <Problem error={updating.error} />
    </div>
  );
};
