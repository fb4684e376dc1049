import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useRequestKey } from '../../api/request-key.ts';
import { useActing } from '../../api/session-context.ts';
import { call, useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import type { DraftKeeper } from '../drafts/draft-keeper.ts';
import type { Editing } from '../use-editing.ts';
import { type Loaded, useRefresh, useVersion } from './api.ts';
import type { Target } from './next-live.ts';
import { useRefusal } from './use-refusal.ts';
import { useSaveScreen } from './use-save-screen.ts';

const numberOf = (versions: Loaded['versions'], target: Target): number | undefined => {
  if (target === 'screen') return (versions[0]?.version_number ?? 0) + 1;
  return target.proposal?.version_number ?? versions.find(({ id }) => id === target.version)?.version_number;
};

/** What the server answers where another version was made live meanwhile. */
const liveChanged = (): ApiError =>
  new ApiError('Another version was made live meanwhile.', { status: 409, code: 'current_version_changed' });

/** The steps of making something live, and what is known before. */
export const useMakeLive = (
  loaded: Loaded,
  begun: Target,
  editing: Editing,
  keeper: DraftKeeper | undefined,
  onDone: (outcome: { number: number; isFirst: boolean }) => void,
) => {
  const { template, versions } = loaded;
  const { place } = useActing();
  const refresh = useRefresh();
  const [current, setTarget] = useState<Target>(begun);
  // While the version is made live, the page shows what was decided, and not the state of each step.
  const [decided, decide] = useState<{ target: Target; number: number | undefined }>();
  const target = decided?.target ?? current;
  const [note, setNote] = useState('');
  const [accepts, accept] = useState(false);
  // What the person looks at is what the server compares with, even when the page has read a newer state since.
  const [live, setLive] = useState(template.current_version);
  const [isChanged, setChanged] = useState(false);
  const versionId = target === 'screen' ? undefined : target.version;
  const proposal = target === 'screen' ? undefined : target.proposal;
  const version = useVersion(template.id, versionId);
  const { blocks } = editing.present.document;
  const params = { id: template.id };
  // Who uses it may have changed a moment ago.
  const use = useRead(api.getUse, { params }, { staleMs: 0 });
  const impact = useQuery({
    queryKey: ['impact', place, template.id, versionId ?? blocks, live?.id],
    queryFn: ({ signal }) => {
      const body = versionId === undefined ? { blocks } : { version_id: versionId };
      return call(api.getImpact, place, { params, body: JSON.parse(JSON.stringify(body)) }, { signal });
    },
    enabled: useMay('messages:preview'),
    staleTime: 0,
    retry: false,
  });
  const breaks = impact.data?.summary.breaks ?? 0;
  const saveScreen = useSaveScreen(loaded, editing, keeper);
  const refusal = useRefusal(loaded);
  const isRefused = refusal.isRefused(target);

  const holdStill = (): void => decide({ target, number: numberOf(versions, target) });
  /** Should the next request fail, the version is there and is not made once more. */
  const savedVersion = async (): Promise<string> => {
    if (versionId !== undefined) return versionId;
    const { id } = await saveScreen({ note, keepSettings: false });
    setTarget({ version: id });
    return id;
  };
  const noted = note.trim() !== '' && { note: note.trim() };
  const activate = useMutation({
    onMutate: holdStill,
    mutationFn: async () => {
      // Told before anything is saved. The server compares once more when it makes the version live.
      const { current_version_id } = await call(api.getTemplate, place, { params });
      if (current_version_id !== (live?.id ?? null)) throw liveChanged();
      const version_id = await savedVersion();
      const body = {
        expected_current_version_id: live?.id ?? null,
        ...(impact.data && { accept_breaks: breaks > 0 && accepts }),
        ...noted,
      };
      if (proposal) {
        return call(api.acceptProposal, place, { params: { ...params, proposal_id: proposal.id }, body });
      }
      return call(api.activateVersion, place, { params: { ...params, version_id }, body });
    },
    onSuccess: async ({ version_number }) => {
      await refresh();
      onDone({ number: version_number, isFirst: live === null });
    },
    onError: async (error) => {
      decide(undefined);
      if (!(error instanceof ApiError)) return;
      if (error.code === 'activation_breaks') await impact.refetch();
      if (error.code !== 'current_version_changed') return;
      setChanged(true);
      await refresh();
    },
  });
  // Where the policy asks for another person, the version is proposed to them.
  const proposalKey = useRequestKey();
  const propose = useMutation({
    onMutate: holdStill,
    mutationFn: async () => {
      const body = { version_id: await savedVersion(), ...noted };
      return call(api.propose, place, { params, body, idempotencyKey: proposalKey.of(body) });
    },
    onSuccess: refresh,
    onError: (error) => {
      proposalKey.failed(error);
      decide(undefined);
    },
  });
  const wasRefused =
    !proposal && activate.error instanceof ApiError && activate.error.code === 'activation_refused';
  return {
    target,
    /** The number that is live afterwards; undefined until it is known. */
    number: decided?.number ?? numberOf(versions, target),
    proposal,
    propose,
    /** Whether the policy of the organization asks somebody else to make it live. */
    needsAnotherPerson: isRefused || wasRefused,
    /** Whether that is known only since the server has refused it. */
    isLate: wasRefused && !isRefused,
    /** Whether it is not known yet who may make it live. */
    isAsking: refusal.isLoading,
    /** The remedy of a problem changes the screen, which is what is made live then. */
    turnToScreen: () => setTarget('screen'),
    note,
    setNote,
    accepts,
    accept,
    live,
    isChanged,
    /** What somebody else made live meanwhile; undefined until it is read. */
    newer: isChanged && template.current_version?.id !== live?.id ? template.current_version : undefined,
    lookAgain: () => {
      setLive(template.current_version);
      setChanged(false);
      activate.reset();
    },
    version,
    use,
    impact,
    breaks,
    activate,
  };
};

/** See {@link useMakeLive}. */
export type Making = ReturnType<typeof useMakeLive>;
