/**
 * One figure of the chat platform or of this engine.
 *
 * `over` says what happens to a value beyond the figure: text is cut; ids, addresses, option values and counts are
 * refused, because a shortened one is a different one; a warning only tells.
 */
export interface Limit {
  readonly min?: number;
  readonly max: number;
  readonly unit: 'characters' | 'items' | 'bytes' | 'levels' | 'evaluations' | 'value';
  readonly over: 'cut' | 'refused' | 'warned';
  /** The source of the figure: a page of the platform's documentation, its SDK's types, or this engine. */
  readonly source: string;
  /** A larger figure of other sources. The smaller one is held, since a message within it is safe with either. */
  readonly disputed?: { readonly max: number; readonly source: string };
}

/**
 * The day on which the tables of this package (types, keys, closed lists, figures) were last compared with the
 * platform's documentation. `docs/platform.md` says how a release brings them up to date.
 */
export const comparedOn = '2026-11-26';

type Origin = string;

const cut = (max: number, source: Origin): Limit => ({ max, unit: 'characters', over: 'cut', source });
const exact = (max: number, source: Origin): Limit => ({ max, unit: 'characters', over: 'refused', source });
const items = (max: number, source: Origin, min = 1): Limit => ({
  min,
  max,
  unit: 'items',
  over: 'refused',
  source,
});

/** A limit whose figure other sources give as a larger one. */
const disputed = (limit: Limit, max: number, source: Origin): Limit => ({
  ...limit,
  disputed: { max, source },
});

const value = (min: number, max: number, source: Origin): Limit => ({
  min,
  max,
  unit: 'value',
  over: 'refused',
  source,
});

const blocksPage = 'platform documentation: block-kit/blocks';
const blockPage = (name: string): Origin => `platform documentation: block-kit/blocks/${name}-block`;
const objectPage = (name: string): Origin => `platform documentation: block-kit/composition-objects/${name}`;
const elementPage = (name: string): Origin =>
  `platform documentation: block-kit/block-elements/${name}-element`;
const modalsPage = 'platform documentation: surfaces/modals';
const thirdParty = 'third-party validators';
const sdk = 'types of the platform’s SDK, August 2026';
const newerPage = 'the documentation page of the platform as captured in September 2026';
const engine = 'this engine';

const surfaceLimits = {
  // Directives may hide any number of a template's blocks, and a message may come out empty: the caller decides then.
  'message.blocks': items(50, blocksPage, 0),
  'view.blocks': items(100, modalsPage, 0),
  'message.text': cut(4_000, 'platform documentation: the top-level text of an updated message'),
  // No figure is documented; the platform's staff name 12,000 characters and a buffer for containers.
  'message.text_total': {
    max: 12_000,
    unit: 'characters',
    over: 'warned',
    source: 'statement of the platform’s staff on the error msg_blocks_too_long',
  },
  // The people of the addresses are looked up before the message is posted; beyond it the addresses stand there.
  'message.people': { min: 0, max: 50, unit: 'items', over: 'warned', source: engine },
  'message.tables': items(1, 'statement of third parties on the error only_one_table_allowed', 0),
  'message.charts': items(2, 'two third-party validators', 0),
  'message.plans': { max: 1, unit: 'items', over: 'warned', source: thirdParty },
  'view.title': cut(24, modalsPage),
  'view.submit': cut(24, modalsPage),
  'view.close': cut(24, modalsPage),
  'view.bytes': {
    max: 250 * 1_024,
    unit: 'bytes',
    over: 'refused',
    source: 'error view_too_large of views.open',
  },
  'view.focus_on_load': items(1, sdk, 0),
  'block.block_id': exact(255, blocksPage),
  'element.action_id': exact(255, sdk),
} satisfies Record<string, Limit>;

const blockLimits = {
  'header.text': cut(150, blockPage('header')),
  'header.level': value(1, 4, blockPage('header')),
  'section.text': cut(3_000, blockPage('section')),
  'section.fields': items(10, blockPage('section')),
  'section.field': cut(2_000, blockPage('section')),
  'image.image_url': exact(3_000, blockPage('image')),
  'image.alt_text': cut(2_000, blockPage('image')),
  'image.title': cut(2_000, blockPage('image')),
  'context.elements': items(10, blockPage('context')),
  'actions.elements': items(25, blockPage('actions')),
  'markdown.text': cut(12_000, blockPage('markdown')),
  'markdown.total': cut(12_000, blockPage('markdown')),
  'rich_text.elements': items(10_000, engine),
  'rich_text.inline': items(10_000, engine, 0),
  'rich_text.text': cut(12_000, engine),
  'rich_text.url': exact(3_000, engine),
  'rich_text.skin_tone': value(1, 6, sdk),
  'rich_text.indent': value(0, 8, sdk),
  'context_actions.elements': items(5, sdk),
  'input.label': cut(2_000, blockPage('input')),
  'input.hint': cut(2_000, blockPage('input')),
} satisfies Record<string, Limit>;

/** Tables, charts, cards and what else messages and views show as one piece. */
const richBlockLimits = {
  'table.rows': items(100, blockPage('table')),
  'table.cells': items(20, blockPage('table')),
  'table.column_settings': items(20, blockPage('table'), 0),
  'table.cell': cut(10_000, blockPage('table')),
  'table.text_total': cut(10_000, blockPage('table')),
  'data_table.caption': cut(2_000, engine),
  // With the header.
  'data_table.rows': disputed(items(101, blockPage('data-table'), 2), 201, newerPage),
  'data_table.cells': items(20, blockPage('data-table')),
  'data_table.text_total': disputed(cut(10_000, blockPage('data-table')), 20_000, newerPage),
  'data_table.page_size': value(1, 100, blockPage('data-table')),
  'data_table.row_header_column_index': value(0, 19, blockPage('data-table')),
  'chart.title': cut(50, blockPage('data-visualization')),
  'chart.segments': disputed(items(6, blockPage('data-visualization')), 12, thirdParty),
  'chart.series': disputed(items(6, blockPage('data-visualization')), 12, thirdParty),
  'chart.points': items(20, blockPage('data-visualization')),
  'chart.categories': items(20, blockPage('data-visualization')),
  'chart.label': cut(20, blockPage('data-visualization')),
  'chart.axis_title': cut(50, blockPage('data-visualization')),
  'card.title': cut(150, blockPage('card')),
  'card.subtitle': cut(150, blockPage('card')),
  'card.body': cut(200, blockPage('card')),
  'card.subtext': cut(200, thirdParty),
  'card.actions': items(3, thirdParty),
  'carousel.elements': items(10, blockPage('carousel')),
  'alert.text': cut(200, blockPage('alert')),
  'container.title': cut(150, blockPage('container')),
  'container.subtitle': cut(150, blockPage('container')),
  'container.child_blocks': items(10, blockPage('container')),
  'video.title': cut(199, blockPage('video')),
  'video.alt_text': cut(200, thirdParty),
  'video.description': cut(200, thirdParty),
  'video.author_name': cut(49, blockPage('video')),
  'video.provider_name': cut(50, thirdParty),
  'video.url': exact(3_000, sdk),
  'plan.title': cut(3_000, engine),
  'plan.tasks': items(1_000, engine, 0),
  'task_card.task_id': exact(255, engine),
  'task_card.title': cut(3_000, engine),
  'task_card.sources': items(100, engine, 0),
  'task_card.url': exact(3_000, sdk),
} satisfies Record<string, Limit>;

const elementLimits = {
  'text.text': cut(3_000, objectPage('text-object')),
  'button.text': cut(75, sdk),
  'button.value': exact(2_000, sdk),
  'button.url': exact(3_000, sdk),
  'button.accessibility_label': cut(75, sdk),
  'button.agent_prompt': exact(4_000, elementPage('button')),
  'button.agent_prompt_display': cut(4_000, engine),
  'select.placeholder': cut(150, sdk),
  'select.options': items(100, sdk),
  'select.option_groups': items(100, sdk),
  // No select offers more than a hundred groups of a hundred options.
  'select.max_selected_items': value(1, 10_000, sdk),
  'select.initial': items(100, sdk),
  'option.text': cut(75, objectPage('option-object')),
  'option.value': exact(150, objectPage('option-object')),
  'option.description': cut(75, objectPage('option-object')),
  'option.url': exact(3_000, objectPage('option-object')),
  'option_group.label': cut(75, sdk),
  'option_group.options': items(100, sdk),
  'overflow.options': items(5, sdk),
  'confirm.title': cut(100, objectPage('confirmation-dialog-object')),
  'confirm.text': cut(300, objectPage('confirmation-dialog-object')),
  'confirm.confirm': cut(30, objectPage('confirmation-dialog-object')),
  'confirm.deny': cut(30, objectPage('confirmation-dialog-object')),
  'filter.include': items(4, objectPage('conversation-filter-object')),
  'checkboxes.options': items(10, sdk),
  'radio_buttons.options': items(10, sdk),
  'feedback_button.text': cut(75, sdk),
  'icon_button.text': cut(75, sdk),
  'icon_button.visible_to_user_ids': items(10, sdk),
  'workflow_button.parameters': items(100, engine, 0),
  'workflow_button.parameter': exact(3_000, engine),
  'picker.date': exact(10, sdk),
  'picker.time': exact(5, sdk),
  'picker.timezone': exact(64, sdk),
  'picker.date_time': value(1_000_000_000, 9_999_999_999, sdk),
  'plain_text_input.initial_value': cut(3_000, sdk),
  'plain_text_input.min_length': value(0, 3_000, sdk),
  'plain_text_input.max_length': value(1, 3_000, sdk),
  'rich_text_input.lines': value(1, 100, sdk),
  'email_text_input.initial_value': exact(320, engine),
  'url_text_input.initial_value': exact(3_000, engine),
  'number_input.value': exact(40, engine),
  'file_input.filetypes': items(100, engine),
  'file_input.max_files': value(1, 10, sdk),
  'dispatch.trigger_actions_on': items(2, sdk),
} satisfies Record<string, Limit>;

const interactivityLimits = {
  // The platform allows 4,000 bytes for the whole; the rest of it is for the message key and the frame.
  'interactivity.metadata_bytes': { max: 3_800, unit: 'bytes', over: 'refused', source: 'API contract' },
  'interactivity.metadata_total_bytes': {
    max: 4_000,
    unit: 'bytes',
    over: 'refused',
    source: 'platform documentation: message metadata',
  },
  'interactivity.id': exact(36, engine),
  'interactivity.actions': items(10, engine),
  // All that is read must fit into the metadata; each path is read again for every element that a loop repeats.
  'interactivity.paths': items(100, engine, 0),
} satisfies Record<string, Limit>;

/** Limits that keep a hostile template from stalling other requests. */
const engineLimits = {
  'engine.depth': { max: 8, unit: 'levels', over: 'refused', source: engine },
  'engine.nodes': { max: 15_000, unit: 'items', over: 'refused', source: engine },
  'engine.iterations': { max: 20_000, unit: 'items', over: 'refused', source: engine },
  'engine.output_bytes': { max: 524_288, unit: 'bytes', over: 'refused', source: engine },
  'engine.evaluations': { max: 250_000, unit: 'evaluations', over: 'refused', source: engine },
  'engine.path_segments': { max: 32, unit: 'items', over: 'refused', source: engine },
  'engine.placeholders': { max: 5_000, unit: 'items', over: 'refused', source: engine },
  'engine.filters': { max: 16, unit: 'items', over: 'refused', source: engine },
  // The blocks of partials come on top of what a request brings.
  'partial.bytes': { max: 524_288, unit: 'bytes', over: 'refused', source: engine },
  'partial.depth': { max: 3, unit: 'levels', over: 'refused', source: engine },
  'translations.languages': { max: 40, unit: 'items', over: 'refused', source: engine },
  'translations.keys': { max: 500, unit: 'items', over: 'refused', source: engine },
  'translations.key': exact(100, engine),
  'translations.text': exact(12_000, engine),
  'engine.json_depth': { max: 32, unit: 'levels', over: 'refused', source: engine },
  // A key or an element of the platform that the tables do not know is passed on as it is, within these.
  'engine.unknown_depth': { max: 8, unit: 'levels', over: 'refused', source: engine },
  'engine.unknown_characters': { max: 3_000, unit: 'characters', over: 'refused', source: engine },
  'engine.problems': { max: 100, unit: 'items', over: 'refused', source: engine },
} satisfies Record<string, Limit>;

/** Every limit of the chat platform and of this engine by name: the only home of these figures. */
export const limits = {
  ...surfaceLimits,
  ...blockLimits,
  ...richBlockLimits,
  ...elementLimits,
  ...interactivityLimits,
  ...engineLimits,
};

/** The name of a limit, as problems and `block-schema` give it. */
export type LimitName = keyof typeof limits;

/** The entry of a limit. */
export const limitOf = (name: LimitName): Limit => limits[name];
