import { CodedError } from '@stanza/contracts';

/** A reference to a template or a partial, by kind and id; by name too for a caller who may read what refers to it. */
export interface Reference {
  kind: 'queue' | 'batch' | 'scheduled message' | 'template' | 'partial';
  id: string;
  name: string | undefined;
}

const shown = ({ kind, id, name }: Reference): string =>
  `the ${kind} ${name === undefined ? id : `"${name}"`}`;

const lineOf = ({ kind, id, name }: Reference): string =>
  `${kind} ${id}${name === undefined ? '' : `: ${name}`}`;

/**
 * Decides whether a template or a partial may be deleted.
 * @param references its references
 * @throws CodedError `invalid_state` while it is not archived or is referenced, with a line for each reference
 */
export const needsDeletable = (
  template: { archived_at: Date | null },
  references: readonly Reference[],
  what: 'template' | 'partial' = 'template',
): void => {
  if (template.archived_at === null) {
    throw new CodedError('invalid_state', {
      message: `The ${what} is not archived; archive it before you delete it.`,
    });
  }
  if (references.length === 0) return;
  throw new CodedError('invalid_state', {
    message: `The ${what} is used by ${references.map(shown).join(', ')}.`,
    details: references.map(lineOf).join('\n'),
  });
};

/**
 * Decides whether a modal may be deleted.
 * @param openers unarchived templates and partials whose live version opens it
 * @throws CodedError `invalid_state` while there is one, with a line for each
 */
export const needsUnopened = (openers: readonly Reference[]): void => {
  if (openers.length === 0) return;
  throw new CodedError('invalid_state', {
    message: `The modal is opened by ${openers.map(shown).join(', ')}.`,
    details: openers.map(lineOf).join('\n'),
  });
};

/**
 * Decides whether a version may become live by the modals that it opens.
 * @param missing those that were deleted
 * @throws CodedError `invalid_state` where there is one
 */
export const needsModals = (missing: readonly string[]): void => {
  if (missing.length === 0) return;
  throw new CodedError('invalid_state', {
    message: `The version opens ${missing.map((id) => `the modal ${id}`).join(', ')}, which was deleted.`,
  });
};

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/**
 * Decides whether an entity may be deleted.
 * @throws CodedError `invalid_state` while it is referenced
 */
export const needsUnused = ({ versions, sampleData }: { versions: number; sampleData: number }): void => {
  if (versions + sampleData === 0) return;
  const kinds = [
    ...(versions > 0 ? [counted(versions, 'template version', 'template versions')] : []),
    ...(sampleData > 0 ? [counted(sampleData, 'piece of sample data', 'pieces of sample data')] : []),
  ];
  throw new CodedError('invalid_state', {
    message: `The entity describes ${kinds.join(' and ')}; delete these first.`,
  });
};
