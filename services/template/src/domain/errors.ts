import { CodedError } from '@stanza/contracts';

/** The id names no template of this organization and environment. */
export const templateNotFound = (): CodedError => new CodedError('template_not_found');

/** The id names no version of this template. */
export const versionNotFound = (): CodedError => new CodedError('version_not_found');

/** No version was named, and none is live. */
export const noLiveVersion = (): CodedError =>
  new CodedError('version_not_found', {
    message: 'The template has no live version; activate one, or name the version you mean.',
  });

/** The id names no modal of this organization and environment. */
export const modalNotFound = (): CodedError =>
  new CodedError('not_found', { message: 'There is no such modal in this organization and environment.' });

/** The id names no version of this modal, or none is active. */
export const modalVersionNotFound = (
  message = 'There is no such version of the modal; list them with GET /v1/modals/{id}/versions.',
): CodedError => new CodedError('version_not_found', { message });

/** The id names no entity of this organization and environment. */
export const entityNotFound = (): CodedError => new CodedError('entity_not_found');

/** Another entity of the environment has the name, in whatever case. */
export const entityNameTaken = (name: string): CodedError =>
  new CodedError('already_exists', { message: `There is an entity named "${name}" already.` });

/** The id names no field of this entity. */
export const fieldNotFound = (): CodedError => new CodedError('field_not_found');

/** The id names no sample data of this organization and environment. */
export const sampleDataNotFound = (): CodedError =>
  new CodedError('not_found', {
    message: 'There is no such sample data in this organization and environment.',
  });
