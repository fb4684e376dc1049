/*
 * Closed lists of the platform's documentation, as of the day that `comparedOn` names. A name outside of one is refused
 * with the nearest of it; docs/platform.md says how a release brings them up to date.
 */

/** Icons of a card (platform documentation: block-kit/composition-objects/slack-icon-object). */
export const cardIcons = [
  ...['archive', 'book', 'bookmark', 'bot', 'bug', 'calendar', 'call', 'caret-left', 'caret-right', 'check'],
  ...['clipboard', 'code', 'comment', 'compass', 'copy', 'cube', 'download', 'edit', 'email', 'eye-closed'],
  ...['eye-open', 'file', 'flag', 'folder', 'gear', 'globe', 'heart', 'help', 'image', 'info', 'key'],
  ...[
    'lightbulb',
    'link',
    'map',
    'mobile',
    'new-window',
    'pin',
    'plus',
    'refine',
    'refresh',
    'rocket',
    'save',
  ],
  ...[
    'screen',
    'share',
    'sparkle',
    'star',
    'star-filled',
    'tag',
    'thumbs-down',
    'thumbs-up',
    'trash',
    'upload',
  ],
  ...['user', 'warning'],
] as const;

/**
 * Icons of an `icon_button`: "the trash icon is the only icon available at this time" (block-elements/icon-button-element).
 */
export const buttonIcons = ['trash'] as const;

/** Colours of a `tag` (block-elements/tag-element). */
export const tagColors = [
  ...['gray', 'brown', 'purple', 'indigo', 'blue', 'green', 'yellow', 'orange', 'red'],
] as const;

/** What a `citation` quotes from (block-elements/citation-element). */
export const citationTypes = ['file', 'external', 'web', 'message', 'memory'] as const;
