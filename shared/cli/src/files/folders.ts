/** The folders of a project besides that of the templates, in the order in which a push makes what is in them. */
export const folders = ['entities', 'destinations', 'modals', 'partials', 'queues', 'schedules'] as const;

/** See {@link folders}. */
export type Folder = (typeof folders)[number];
