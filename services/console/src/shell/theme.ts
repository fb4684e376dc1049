/** Colours of the page: those of the system, or chosen. */
export const themes = ['system', 'light', 'dark'] as const;

/** See {@link themes}. */
export type Theme = (typeof themes)[number];

const storageKey = 'stanza.theme';

/** The theme that was chosen last in this browser. */
export const storedTheme = (): Theme => {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
};

const listeners = new Set<() => void>();

/** Calls back whenever another theme is chosen; returns what ends that. */
export const onTheme = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a theme, and keeps it for the next visit. */
export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(storageKey, theme);
  for (const listener of listeners) listener();
};
