import { storedCount } from '@stanza/runtime';

/** The templates of an organization. */
export const storedTemplates = storedCount({ kind: 'templates', table: 'templates' });

/** The modals of an organization. */
export const storedModals = storedCount({ kind: 'modals', table: 'modals' });

/** The entities of an organization. */
export const storedEntities = storedCount({ kind: 'entities', table: 'entities' });

/** The sample data of an organization. */
export const storedSampleData = storedCount({ kind: 'sample_data', table: 'sample_data' });
