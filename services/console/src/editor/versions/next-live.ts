import type { TemplateProposal } from '@stanza/contracts';
import type { Acting } from '../../api/session-context.ts';
import type { Editing } from '../use-editing.ts';
import type { Loaded } from './api.ts';

/** What is made live: a version, or what is on the screen, which becomes one first. */
export type Target =
  | { readonly version: string; readonly proposal?: TemplateProposal | undefined }
  | 'screen';

/**
 * What *Make live* takes: what is on the screen, else the newest version. Undefined where there is nothing to do, or
 * no right.
 */
export const nextLive = (
  { template, versions }: Loaded,
  { present, isDirty }: Editing,
  may: Acting['may'],
): Target | undefined => {
  // JSON that is half written is not what anybody means to send.
  if (!may('templates:activate') || template.lifecycle === 'archived') return undefined;
  if (present.textProblem !== undefined) return undefined;
  if (isDirty && may('templates:update')) return 'screen';
  const [newest] = versions;
  return newest === undefined || newest.id === template.current_version?.id
    ? undefined
    : { version: newest.id };
};
