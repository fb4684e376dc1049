/** Settings that messages of the live version of a template, or views of an active modal, are made with at once. */
const liveSettings: readonly string[] = [
  'user_name',
  'icon_emoji',
  'fallback_text',
  'locale',
  'timezone',
  'strict',
  'title',
  'submit_label',
  'close_label',
  'steps',
];

/** Whether a change would show in what is live, and is not only a label by which people find it. */
export const changesLive = (changes: object): boolean =>
  Object.entries(changes).some(([name, value]) => value !== undefined && liveSettings.includes(name));
