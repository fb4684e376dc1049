import { type Folder, folders } from '../files/folders.ts';
import { destinations } from './destinations.ts';
import { entities } from './entities.ts';
import type { Kind } from './kind.ts';
import { modals } from './modals.ts';
import { partials } from './partials.ts';
import { queues } from './queues.ts';
import { schedules } from './schedules.ts';

const kinds: Readonly<Record<Folder, Kind>> = { entities, destinations, partials, modals, queues, schedules };

/** Every kind besides templates, in the order in which a push makes them. */
export const allKinds: readonly Kind[] = folders.map((folder) => kinds[folder]);

/** The kinds that templates may name, which a push makes before these; the others name templates. */
export const isBeforeTemplates = ({ folder }: Kind): boolean => folder !== 'queues' && folder !== 'schedules';
