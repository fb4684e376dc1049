import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSay } from '../../api/say.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { changedMetadata } from '../document/document.ts';
import type { DraftKeeper } from '../drafts/draft-keeper.ts';
import type { Editing } from '../use-editing.ts';
import type { Loaded } from './api.ts';
import { useSaveScreen } from './use-save-screen.ts';

/** Settings that messages of the live version are made with. */
const messageSettings: Readonly<Record<string, string>> = {
  user_name: 'sender name',
  icon_emoji: 'sender icon',
  fallback_text: 'notification text',
  locale: 'locale',
  timezone: 'time zone',
  strict: 'how strict it is',
};

/** The settings of the live messages that the screen changes, in words. */
export const changedSettings = ({ template }: Loaded, { present }: Editing): string[] =>
  Object.keys(changedMetadata(present.document, template)).flatMap((key) => messageSettings[key] ?? []);

/** Saves what is on the screen as a new version, with a note. The data of the form becomes its sample data. */
export const SaveVersion = ({
  loaded,
  editing,
  keeper,
  onMakeLive,
  onClose,
}: {
  loaded: Loaded;
  editing: Editing;
  keeper: DraftKeeper | undefined;
  /** Goes on to make the version live; undefined for those who may not. */
  onMakeLive: ((version: string) => void) | undefined;
  onClose: () => void;
}) => {
  const [note, setNote] = useState('');
  const [keepSettings, keep] = useState(false);
  const say = useSay();
  const saveScreen = useSaveScreen(loaded, editing, keeper);
  const save = useMutation({
    mutationFn: (_: 'save' | 'go on') => saveScreen({ note, keepSettings }),
    onSuccess: ({ id, version_number }, next) => {
      if (next === 'go on') return onMakeLive?.(id);
      onClose();
      say(`Version ${version_number} is saved. It is not live.`);
    },
  });
  const next = (loaded.versions[0]?.version_number ?? 0) + 1;
  const settings = loaded.template.current_version === null ? [] : changedSettings(loaded, editing);
  return (
    <FormDialog
      title={`Save version ${next}`}
      onClose={onClose}
      mutation={save}
      submit="Save"
      more={
        onMakeLive && (
          <Button disabled={save.isPending} onClick={() => save.mutate('go on')}>
            Save and make live…
          </Button>
        )
      }
      onSubmit={() => save.mutate('save')}
    >
      <p>A version is kept for good. It is not live until you make it live.</p>
      <TextField
        label="Note"
        value={note}
        maxLength={500}
        placeholder="What is new, as in “shorter header”"
        onChange={({ target }) => setNote(target.value)}
      />
      {settings.length > 0 && (
        <CheckField
          label="Leave the settings of the template as they are"
          hint={`You have changed: ${settings.join(', ')}. Settings hold for the live version at once; left as they are, your changes stay in the draft.`}
          checked={keepSettings}
          onChange={({ target }) => keep(target.checked)}
        />
      )}
    </FormDialog>
  );
};
