import { useMemo } from 'react';
import { useMay } from '../../shell/allowed.tsx';
import { useDestinations, useModals } from '../../shell/whole-lists.ts';
import type { Finding } from './findings.ts';
import { findingsOfNamed, isWhole, namesAny } from './named-things.ts';

/** The findings of the engine, and what is wrong with the modals and destinations that the blocks name. */
export const useNamedThings = (
  blocks: readonly unknown[],
  ofEngine: readonly Finding[],
): readonly Finding[] => {
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const modals = useModals(mayModals && namesAny(blocks, 'modal_id')).data;
  const destinations = useDestinations(mayDestinations && namesAny(blocks, 'destination_id')).data;
  return useMemo(() => {
    const things = {
      modal: isWhole(modals)
        ? modals?.map(({ current_version_id, ...it }) => ({
            ...it,
            isLive: current_version_id !== null,
          }))
        : undefined,
      destination: isWhole(destinations) ? destinations?.map((it) => ({ ...it, isLive: true })) : undefined,
    };
    return [...ofEngine, ...findingsOfNamed(blocks, things, '/blocks')];
  }, [blocks, ofEngine, modals, destinations]);
};
