import type { AnyHandler, DeadLetterNeeds } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
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
export const operations = (dependencies: Dependencies & DeadLetterNeeds): AnyHandler[] => [
  createTemplate(dependencies),
  listTemplates(dependencies),
  getTemplate(dependencies),
  updateTemplate(dependencies),
  archiveTemplate(dependencies),
  unarchiveTemplate(dependencies),
  deleteTemplate(dependencies),
  appendTemplateVersion(dependencies),
  listTemplateVersions(dependencies),
  getTemplateVersion(dependencies),
  diffTemplateVersions(dependencies),
  activateTemplateVersion(dependencies),
  listTemplateActivations(dependencies),
  searchTemplates(dependencies),
  searchEntities(dependencies),
  listEntities(dependencies),
  createEntity(dependencies),
  getEntity(dependencies),
  updateEntity(dependencies),
  deleteEntity(dependencies),
  createEntityField(dependencies),
  updateEntityField(dependencies),
  deleteEntityField(dependencies),
  listSampleData(dependencies),
  createSampleData(dependencies),
  getSampleData(dependencies),
  updateSampleData(dependencies),
  deleteSampleData(dependencies),
  createModal(dependencies),
  listModals(dependencies),
  getModal(dependencies),
  updateModal(dependencies),
  deleteModal(dependencies),
  appendModalVersion(dependencies),
  listModalVersions(dependencies),
  getModalVersion(dependencies),
  activateModalVersion(dependencies),
  getModalSource(dependencies),
  resolveLiveVersions(dependencies),
  getVersionContent(dependencies),
  getPreviewSource(dependencies),
  getInputSource(dependencies),
  listTemplateDeadLetters(dependencies),
  resolveTemplateDeadLetter(dependencies),
];
