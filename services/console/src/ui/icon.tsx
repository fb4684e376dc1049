/** The strokes of signs on buttons, on a square of 24. Letters that look like them are missing in many fonts. */
const signs = {
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  remove: 'M6 6l12 12M18 6 6 18',
  wrap: 'M4 4h16v16H4zM12 8v8M8 12h8',
  open: 'M6 9l6 6 6-6',
  closed: 'M9 6l6 6-6 6',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
} as const;

/** See {@link signs}. */
export type Sign = keyof typeof signs;

/** A picture of strokes in the colour of the text around it. */
export const Strokes = ({ path, size = 18 }: { path: string; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={path} />
  </svg>
);

/** The sign on a button that has its name as a label. */
export const Icon = ({ sign }: { sign: Sign }) => <Strokes path={signs[sign]} size={16} />;
