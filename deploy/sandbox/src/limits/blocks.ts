import { dataVisualizationShape } from './charts.ts';
import { atLeastOneOf, choice, flag, list, pick, type Rule, type Shape, text, typed } from './checks.ts';
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
import { dataTableShape, tableShape } from './tables.ts';

/** Where blocks are shown: in a message, or in a view (a modal or a home tab). */
export type Surface = 'message' | 'view';

const secureUrl = text({ max: 3_000, pattern: /^https:\/\/\S+$/i, form: 'an address with https' });

const textShapes: Record<string, Shape> = {
  header: { required: { text: plainText(150) } },
  section: {
    optional: {
      text: anyText(),
      fields: list(anyText(2_000), 1, 10),
      accessory: typed(accessories),
      expand: flag,
    },
    rules: [atLeastOneOf('text', 'fields')],
  },
  divider: {},
  image: {
    required: { alt_text: text({ max: 2_000 }) },
    optional: { image_url: webUrl, slack_file: workspaceFile, title: plainText(2_000) },
    rules: [oneImageSource],
  },
  context: { required: { elements: list(typed(contextElements), 1, 10) } },
  rich_text: richTextShape,
};

const actShapes: Record<string, Shape> = {
  actions: { required: { elements: list(typed(actionElements), 1, 25) } },
  input: {
    required: { label: plainText(2_000), element: typed(inputElements) },
    optional: { hint: plainText(2_000), optional: flag, dispatch_action: flag },
  },
};

const videoShapes: Record<string, Shape> = {
  video: {
    required: {
      alt_text: text({ max: 200 }),
      title: plainText(199),
      video_url: secureUrl,
      thumbnail_url: webUrl,
    },
    optional: {
      title_url: secureUrl,
      author_name: text({ max: 49 }),
      provider_name: text({ max: 50 }),
      provider_icon_url: webUrl,
      description: plainText(200),
    },
  },
};

const cardShape: Shape = {
  optional: {
    hero_image: image,
    icon: image,
    slack_icon: typed({ icon: { required: { name: text() } } }),
    title: anyText(150),
    subtitle: anyText(150),
    body: anyText(200),
    subtext: anyText(200),
    actions: list(typed(buttonElement), 1, 3),
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
    { ...shape, optional: { ...shape.optional, block_id: text({ max: 255 }) } },
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
  required: { child_blocks: list(typed(containerChildren), 1, 10) },
  optional: {
    title: plainText(150),
    rich_text_title: richText,
    subtitle: anyText(150),
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
  carousel: { required: { elements: list(typed(withBlockId({ card: cardShape })), 1, 10) } },
  context_actions: { required: { elements: list(typed(contextActionElements), 1, 5) } },
  data_table: dataTableShape,
  data_visualization: dataVisualizationShape,
  markdown: { required: { text: text({ max: 12_000 }) } },
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
    required: { text: anyText(200) },
    optional: { level: choice('default', 'info', 'warning', 'error', 'success') },
  },
};

const everywhere = { ...textShapes, ...actShapes, ...videoShapes, container: containerShape };

/** The blocks of each surface. `file` is in neither: it is read from the platform, never posted by an app. */
const blocksOf = {
  message: typed(withBlockId({ ...everywhere, ...messageOnlyShapes })),
  view: typed(withBlockId({ ...everywhere, ...viewOnlyShapes })),
};

/** The check of one block on a surface. */
export function blockCheck(surface: Surface): ReturnType<typeof typed> {
  return blocksOf[surface];
}
