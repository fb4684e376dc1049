import { cardIcons, secureAddress } from '@stanza/engine/platform';
import { dataVisualizationShape } from './charts.ts';
import {
  atLeastOneOf,
  choice,
  flag,
  integer,
  list,
  object,
  pick,
  type Rule,
  type Shape,
  text,
  typed,
} from './checks.ts';
import { anyText, image, oneImageSource, plainText, url, webUrl, workspaceFile } from './composition.ts';
import {
  accessories,
  actionElements,
  buttonElement,
  contextActionElements,
  contextElements,
  inputElements,
} from './elements.ts';
import { richText, richTextShape } from './rich-text.ts';
import { maxOf } from './table.ts';
import { dataTableShape, tableShape } from './tables.ts';

/** Where blocks are shown: in a message, or in a view (a modal or a home tab). */
export type Surface = 'message' | 'view';

const secureUrl = text({ max: maxOf('video.url'), form: secureAddress });

const textShapes: Record<string, Shape> = {
  header: {
    required: { text: plainText(maxOf('header.text')) },
    optional: { level: integer(1, maxOf('header.level')) },
  },
  section: {
    optional: {
      text: anyText(),
      fields: list(anyText(maxOf('section.field')), 1, maxOf('section.fields')),
      accessory: typed(accessories),
      expand: flag,
    },
    rules: [atLeastOneOf('text', 'fields')],
  },
  divider: {},
  image: {
    required: { alt_text: text({ max: maxOf('image.alt_text') }) },
    optional: { image_url: webUrl, slack_file: workspaceFile, title: plainText(maxOf('image.title')) },
    rules: [oneImageSource],
  },
  context: { required: { elements: list(typed(contextElements), 1, maxOf('context.elements')) } },
  rich_text: richTextShape,
};

const actShapes: Record<string, Shape> = {
  actions: { required: { elements: list(typed(actionElements), 1, maxOf('actions.elements')) } },
  input: {
    required: { label: plainText(maxOf('input.label')), element: typed(inputElements) },
    optional: { hint: plainText(maxOf('input.hint')), optional: flag, dispatch_action: flag },
  },
};

const videoShapes: Record<string, Shape> = {
  video: {
    required: {
      alt_text: text({ max: maxOf('video.alt_text') }),
      title: plainText(maxOf('video.title')),
      video_url: secureUrl,
      thumbnail_url: webUrl,
    },
    optional: {
      title_url: secureUrl,
      author_name: text({ max: maxOf('video.author_name') }),
      provider_name: text({ max: maxOf('video.provider_name') }),
      provider_icon_url: webUrl,
      description: plainText(maxOf('video.description')),
    },
  },
};

const cardShape: Shape = {
  optional: {
    hero_image: image,
    icon: image,
    slack_icon: typed({ icon: { required: { name: choice(...cardIcons) } } }),
    title: anyText(maxOf('card.title')),
    subtitle: anyText(maxOf('card.subtitle')),
    body: anyText(maxOf('card.body')),
    subtext: anyText(maxOf('card.subtext')),
    actions: list(typed(buttonElement), 1, maxOf('card.actions')),
  },
  rules: [
    atLeastOneOf('hero_image', 'title', 'actions', 'body'),
    (card, pointer, report) => {
      if (card.icon !== undefined && card.slack_icon !== undefined) {
        report(pointer, 'only one of icon, slack_icon is allowed');
      }
    },
  ],
};

const taskFields: Shape = {
  required: { task_id: text(), title: text() },
  optional: {
    status: choice('pending', 'in_progress', 'complete', 'error'),
    details: richText,
    output: richText,
    sources: list(typed({ url: { required: { url, text: text() } } }), 0),
    icon: object({ required: { name: text() }, optional: { type: choice('icon') } }),
    hide_title: flag,
  },
};

const collapsesInOrder: Rule = (container, pointer, report) => {
  if (container.default_collapsed === true && container.is_collapsible !== true) {
    report(`${pointer}/default_collapsed`, 'needs is_collapsible');
  }
  if (container.has_header_divider === true && container.is_collapsible === true) {
    report(`${pointer}/has_header_divider`, 'is for containers that do not collapse');
  }
};

function withBlockId(shapes: Record<string, Shape>): Record<string, Shape> {
  const named = Object.entries(shapes).map(([type, shape]): [string, Shape] => [
    type,
    { ...shape, optional: { ...shape.optional, block_id: text({ max: maxOf('block.block_id') }) } },
  ]);
  return Object.fromEntries(named);
}

/** Children as documented; the live platform is reported to refuse some of them. */
const containerChildren = withBlockId({
  ...pick(textShapes, 'context', 'divider', 'header', 'image', 'rich_text', 'section'),
  ...actShapes,
  ...videoShapes,
  table: tableShape,
});

const containerShape: Shape = {
  required: { child_blocks: list(typed(containerChildren), 1, maxOf('container.child_blocks')) },
  optional: {
    title: plainText(maxOf('container.title')),
    rich_text_title: richText,
    subtitle: anyText(maxOf('container.subtitle')),
    width: choice('narrow', 'standard', 'wide', 'full'),
    icon: image,
    is_collapsible: flag,
    default_collapsed: flag,
    has_header_divider: flag,
  },
  rules: [atLeastOneOf('title', 'rich_text_title'), collapsesInOrder],
};

const messageOnlyShapes: Record<string, Shape> = {
  card: cardShape,
  container: containerShape,
  carousel: {
    required: { elements: list(typed(withBlockId({ card: cardShape })), 1, maxOf('carousel.elements')) },
  },
  context_actions: {
    required: { elements: list(typed(contextActionElements), 1, maxOf('context_actions.elements')) },
  },
  data_table: dataTableShape,
  data_visualization: dataVisualizationShape,
  markdown: { required: { text: text({ max: maxOf('markdown.text') }) } },
  plan: {
    required: { title: text() },
    // A plan knows its tasks by position, so their type may be left out.
    optional: { tasks: list(taskInPlan(), 0) },
  },
  table: tableShape,
  task_card: taskFields,
};

function taskInPlan(): ReturnType<typeof typed> {
  const named = typed(withBlockId({ task_card: taskFields }));
  return (value, pointer, report) => {
    const task = typeof value === 'object' && value !== null ? { type: 'task_card', ...value } : value;
    named(task, pointer, report);
  };
}

const viewOnlyShapes: Record<string, Shape> = {
  alert: {
    required: { text: anyText(maxOf('alert.text')) },
    optional: { level: choice('default', 'info', 'warning', 'error', 'success') },
  },
};

const everywhere = { ...textShapes, ...actShapes, ...videoShapes };

/** The blocks of each surface. `file` is in neither: it is read from the platform, never posted by an app. */
const blocksOf = {
  message: typed(withBlockId({ ...everywhere, ...messageOnlyShapes })),
  view: typed(withBlockId({ ...everywhere, ...viewOnlyShapes })),
};

/** The check of one block on a surface. */
export function blockCheck(surface: Surface): ReturnType<typeof typed> {
  return blocksOf[surface];
}
