import { useMemo } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import type { Finding } from './findings.ts';
import { findingsOfNamed, isWhole, namesAny } from './named-things.ts';

/** The list of which the inspector shows the names too, so that it is read once. */
const query = { limit: 100 };

/** The findings of the engine, and what is wrong with the modals and destinations that the blocks name. */
export const useNamedThings = (
  blocks: readonly unknown[],
  ofEngine: readonly Finding[],
): readonly Finding[] => {
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const modals = useRead(
    api.listModals,
    { query },
    { enabled: mayModals && namesAny(blocks, 'modal_id') },
  ).data;
  const destinations = useRead(
    api.listDestinations,
    { query },
    { enabled: mayDestinations && namesAny(blocks, 'destination_id') },
  ).data;
  return useMemo(() => {
    const things = {
      modal: isWhole(modals)
        ? modals?.data.map(({ current_version_id, ...it }) => ({
            ...it,
            isLive: current_version_id !== null,
          }))
        : undefined,
      destination: isWhole(destinations)
        ? destinations?.data.map((it) => ({ ...it, isLive: true }))
        : undefined,
    };
    return [...ofEngine, ...findingsOfNamed(blocks, things, '/blocks')];
  }, [blocks, ofEngine, modals, destinations]);
};
