import type { Interaction } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Values } from '../../ui/values.tsx';
import { answersOf, questionsOf } from './click-words.ts';

/** The questions of a modal as it stands now, by the ids under which answers arrive. */
const useQuestions = (id: string | undefined): ReadonlyMap<string, string> => {
  const isRead = useMay('modals:read') && id !== undefined;
  const modal = useRead(api.getModal, { params: { id: id ?? '' } }, { enabled: isRead }).data;
  const version_id = modal?.current_version_id ?? '';
  const params = { id: id ?? '', version_id };
  const version = useRead(api.getModalVersion, { params }, { enabled: isRead && version_id !== '' }).data;
  return questionsOf([version?.blocks ?? [], ...(modal?.steps ?? []).map(({ blocks }) => blocks)].flat());
};

/** What was chosen, or entered in a modal, which the interaction before it has opened. */
export const Answers = ({
  interaction,
  opener,
}: {
  interaction: Interaction;
  opener: Interaction | undefined;
}) => {
  const opened = opener?.actions.find(({ modal_id }) => modal_id !== undefined)?.modal_id;
  return <Values label="What was entered" of={answersOf(interaction, useQuestions(opened))} />;
};
