import { entityOf } from '@stanza/runtime';
import { dataEntities, entityFields, sampleData } from '../domain/data-tables.ts';
import { templateDrafts } from '../domain/draft-tables.ts';
import { modalReferences, modals, modalVersions } from '../domain/modal-tables.ts';
import { templateProposals } from '../domain/proposal-tables.ts';
import { activations, partialUses, templateArchivals, templates, versions } from '../domain/tables.ts';
import { keyEntities } from './keys.ts';

/** The entity of {@link templates}. */
export const templateEntity = entityOf(templates);

/** The entity of {@link templateArchivals}. */
export const templateArchivalEntity = entityOf(templateArchivals);

/** The entity of {@link versions}. */
export const versionEntity = entityOf(versions);

/** The entity of {@link templateDrafts}. */
export const draftEntity = entityOf(templateDrafts);

/** The entity of {@link templateProposals}. */
export const proposalEntity = entityOf(templateProposals);

/** The entity of {@link activations}. */
export const activationEntity = entityOf(activations);

/** The entity of {@link partialUses}. */
export const partialUseEntity = entityOf(partialUses);

/** The entity of {@link dataEntities}. */
export const dataEntity = entityOf(dataEntities);

/** The entity of {@link entityFields}. */
export const fieldEntity = entityOf(entityFields);

/** The entity of {@link sampleData}. */
export const sampleDataEntity = entityOf(sampleData);

/** The entity of {@link modals}. */
export const modalEntity = entityOf(modals);

/** The entity of {@link modalVersions}. */
export const modalVersionEntity = entityOf(modalVersions);

/** The entity of {@link modalReferences}. */
export const modalReferenceEntity = entityOf(modalReferences);

/** All entities of the service. */
export const entities = [
  templateEntity,
  templateArchivalEntity,
  versionEntity,
  draftEntity,
  proposalEntity,
  activationEntity,
  partialUseEntity,
  dataEntity,
  fieldEntity,
  sampleDataEntity,
  modalEntity,
  modalVersionEntity,
  modalReferenceEntity,
  ...keyEntities,
] as const;
