import { CodedError } from '@stanza/contracts';

/** The request names no version, and none is live. */
export const noLiveVersion = (what: 'template' | 'partial' = 'template'): CodedError =>
  new CodedError('version_not_found', {
    message: `The ${what} has no live version; activate one${what === 'template' ? ', or name a version in the request' : ''}.`,
  });

/** A comparison with the live version of a template that has none. */
export const nothingToCompareWith = (): CodedError =>
  new CodedError('version_not_found', {
    message: 'The template has no live version to compare with; name a version in `against`.',
  });

/** The modal has no version with this id, or no active one. */
export const modalVersionNotFound = (
  message = 'There is no such version of the modal; list them with GET /v1/modals/{id}/versions.',
): CodedError => new CodedError('version_not_found', { message });

/** The key cannot change once programs may use it. */
export const keyIsFixed = (kind: 'template' | 'partial' | 'modal', key: string): CodedError =>
  new CodedError('invalid_state', {
    message: `The key "${key}" cannot be changed any more: a version of the ${kind} has been ${kind === 'modal' ? 'active' : 'live'}, and programs may name it.`,
  });

/** Another entity of the environment has the same name, ignoring case. */
export const entityNameTaken = (name: string): CodedError =>
  new CodedError('already_exists', { message: `There is an entity named "${name}" already.` });
