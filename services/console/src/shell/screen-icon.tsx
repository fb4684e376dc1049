import { Strokes } from '../ui/icon.tsx';
import type { Screen } from './screens.ts';

/** The strokes of each icon, on a square of 24. */
const strokes: Readonly<Record<Screen, string>> = {
  templates: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h3',
  modals: 'M3 5h18v14H3zM3 9h18M7 14h6',
  messages: 'M4 5h16v11H10l-4 4v-4H4z',
  queues: 'M4 6h16M4 12h16M4 18h10',
  schedules: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  destinations: 'M4 12h14M13 6l6 6-6 6',
  events: 'M13 3 5 14h6l-1 7 8-11h-6z',
  connections: 'M9 15l6-6M8 11l-3 3a4 4 0 0 0 6 6l2-3M16 13l3-3a4 4 0 0 0-6-6l-2 3',
  keys: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3',
  people: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2 20c0-4 3-6 7-6s7 2 7 6M17 5a3 3 0 0 1 0 6M22 19c0-3-1-4-3-5',
  usage: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  'audit-log': 'M6 3h12v18H6zM9 8h6M9 12h6M4 7h2M4 12h2M4 17h2',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4',
};

/** The picture beside the name of a screen. */
export const ScreenIcon = ({ screen }: { screen: Screen }) => <Strokes path={strokes[screen]} />;
