import type { Promotion } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/operations.ts';
import { ApiError, type Place } from '../../api/request.ts';
import { useRequestKey } from '../../api/request-key.ts';
import { useSay } from '../../api/say.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/form.tsx';

/** Makes a modal of the other environment here, as it is live there, under the same key. */
const copyModal = async (
  from: Place,
  to: Place,
  { id, key }: { id: string; key: string },
  request: string,
): Promise<void> => {
  const modal = await call(api.getModal, from, { params: { id } });
  const { data } = await call(api.listModalVersions, from, { params: { id }, query: { limit: 1 } });
  const version_id = modal.current_version?.id ?? data[0]?.id ?? '';
  const { blocks, sample_data } = await call(api.getModalVersion, from, { params: { id, version_id } });
  const { name, title, description, submit_label, close_label, steps } = modal;
  const labels = {
    ...(submit_label !== null && { submit_label }),
    ...(close_label !== null && { close_label }),
  };
  const body = { key, name, title, description, ...labels, blocks };
  // Where a later step has failed, the modal is there, and is found by the same request.
  const create = (more: { activate: boolean }) =>
    call(api.createModal, to, {
      body: { ...body, ...(sample_data && { sample_data }), ...more },
      idempotencyKey: `${request}-${more.activate}`,
    });
  const made = await create({ activate: modal.current_version !== null }).catch((error: unknown) => {
    // Where the policy asks for another person it is a draft, which somebody else makes live.
    if (error instanceof ApiError && error.code === 'activation_refused') return create({ activate: false });
    throw error;
  });
  if (steps !== null) await call(api.updateModal, to, { params: { id: made.id }, body: { steps } });
};

/** Copies a modal that a template to be promoted opens. */
export const CopyModal = ({
  reference: { id, key },
  from,
  onCopied,
}: {
  reference: Promotion['unmapped'][number];
  from: Place['environment'];
  onCopied: () => void;
}) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const say = useSay();
  const mayWrite = useMay('modals:write');
  const request = useRequestKey();
  const copying = useMutation({
    mutationFn: () =>
      copyModal(
        { ...place, environment: from },
        place,
        { id, key: key ?? '' },
        request.of({ id, key, from }),
      ),
    onError: (error) => request.failed(error),
    onSuccess: async () => {
      say(`The modal is copied from ${from}.`);
      onCopied();
      await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
    },
  });
  if (!mayWrite || key === null) return null;
  return (
    <>
      <Button
        busy={copying.isPending}
        aria-label={`Copy the modal from ${from}: ${key}`}
        onClick={() => copying.mutate()}
      >
        Copy the modal from {from}
      </Button>
      <Problem error={copying.error} />
    </>
  );
};
