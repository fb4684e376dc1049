import { CodedError } from '@stanza/contracts';

/** No version was named, and none is live. */
export const noLiveVersion = (): CodedError =>
  new CodedError('version_not_found', {
    message: 'The template has no live version; activate one, or name the version you mean.',
  });

/** The id names no version of this modal, or none is active. */
export const modalVersionNotFound = (
  message = 'There is no such version of the modal; list them with GET /v1/modals/{id}/versions.',
): CodedError => new CodedError('version_not_found', { message });

/** Another entity of the environment has the name, in whatever case. */
export const entityNameTaken = (name: string): CodedError =>
  new CodedError('already_exists', { message: `There is an entity named "${name}" already.` });
