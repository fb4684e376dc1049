import type { AnyHandler, DeadLetterNeeds } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { activateModalVersion } from './activate-modal-version.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createModal } from './create-modal.ts';
import { createSampleData } from './create-sample-data.ts';
import { createTemplate } from './create-template.ts';
import { deleteEntity } from './delete-entity.ts';
import { deleteEntityField } from './delete-entity-field.ts';
import { deleteModal } from './delete-modal.ts';
import { deleteSampleData } from './delete-sample-data.ts';
import { deleteTemplate } from './delete-template.ts';
import { diffTemplateVersions } from './diff-template-versions.ts';
import { getEntity } from './get-entity.ts';
import { getInputSource } from './get-input-source.ts';
import { getModal } from './get-modal.ts';
import { getModalSource } from './get-modal-source.ts';
import { getModalVersion } from './get-modal-version.ts';
import { getPreviewSource } from './get-preview-source.ts';
import { getSampleData } from './get-sample-data.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { getVersionContent } from './get-version-content.ts';
import { listEntities } from './list-entities.ts';
import { listModalVersions } from './list-modal-versions.ts';
import { listModals } from './list-modals.ts';
import { listSampleData } from './list-sample-data.ts';
import { listTemplateActivations } from './list-template-activations.ts';
import { listTemplateDeadLetters } from './list-template-dead-letters.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { listTemplates } from './list-templates.ts';
import { resolveLiveVersions } from './resolve-live-versions.ts';
import { resolveTemplateDeadLetter } from './resolve-template-dead-letter.ts';
import { searchEntities } from './search-entities.ts';
import { searchTemplates } from './search-templates.ts';
import { unarchiveTemplate } from './unarchive-template.ts';
import { updateEntity } from './update-entity.ts';
import { updateEntityField } from './update-entity-field.ts';
import { updateModal } from './update-modal.ts';
import { updateSampleData } from './update-sample-data.ts';
import { updateTemplate } from './update-template.ts';

/** Every operation of the service. */
export const operations = (parts: Parts & DeadLetterNeeds): AnyHandler[] => [
  createTemplate(parts),
  listTemplates(parts),
  getTemplate(parts),
  updateTemplate(parts),
  archiveTemplate(parts),
  unarchiveTemplate(parts),
  deleteTemplate(parts),
  appendTemplateVersion(parts),
  listTemplateVersions(parts),
  getTemplateVersion(parts),
  diffTemplateVersions(parts),
  activateTemplateVersion(parts),
  listTemplateActivations(parts),
  searchTemplates(parts),
  searchEntities(parts),
  listEntities(parts),
  createEntity(parts),
  getEntity(parts),
  updateEntity(parts),
  deleteEntity(parts),
  createEntityField(parts),
  updateEntityField(parts),
  deleteEntityField(parts),
  listSampleData(parts),
  createSampleData(parts),
  getSampleData(parts),
  updateSampleData(parts),
  deleteSampleData(parts),
  createModal(parts),
  listModals(parts),
  getModal(parts),
  updateModal(parts),
  deleteModal(parts),
  appendModalVersion(parts),
  listModalVersions(parts),
  getModalVersion(parts),
  activateModalVersion(parts),
  getModalSource(parts),
  resolveLiveVersions(parts),
  getVersionContent(parts),
  getPreviewSource(parts),
  getInputSource(parts),
  listTemplateDeadLetters(parts),
  resolveTemplateDeadLetter(parts),
];
