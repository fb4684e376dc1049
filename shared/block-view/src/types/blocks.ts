import type { BlockElement } from './elements.ts';
import type { Picture, RichText, TextObject } from './text.ts';

/** The content of a `card`, also inside a `carousel`. */
export interface Card {
  readonly hero_image?: Picture;
  readonly icon?: Picture;
  readonly title?: TextObject;
  readonly subtitle?: TextObject;
  readonly body?: TextObject;
  readonly subtext?: TextObject;
  readonly actions?: readonly BlockElement[];
}

/** The content of a `task_card`, also inside a `plan`. */
export interface Task {
  readonly title: string;
  readonly status?: 'pending' | 'in_progress' | 'complete' | 'error';
  readonly details?: RichText;
  readonly output?: RichText;
  readonly hide_title?: boolean;
  readonly sources?: readonly { readonly url: string; readonly text: string }[];
}

/** A cell of a table. */
export type Cell =
  | RichText
  | { readonly type: 'raw_text'; readonly text: string }
  | { readonly type: 'raw_number'; readonly text: string; readonly value: number }
  | { readonly type: 'action_cell'; readonly element: BlockElement };

/** A `table` or a `data_table`; the first row is the header. */
export interface Table {
  readonly rows: readonly (readonly Cell[])[];
  readonly caption?: string;
  readonly column_settings?: readonly ({ readonly align?: 'left' | 'center' | 'right' } | null)[];
  readonly row_header_column_index?: number;
}

/** One row of values of a chart. */
export interface Series {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
}

export interface PieChart {
  readonly type: 'pie';
  readonly segments: readonly { readonly label: string; readonly value: number }[];
}

export interface AxesChart {
  readonly type: 'bar' | 'line' | 'area';
  readonly series: readonly Series[];
  readonly axis_config: {
    readonly categories: readonly string[];
    readonly x_label?: string;
    readonly y_label?: string;
  };
}

export interface Chart {
  readonly title: string;
  readonly chart: PieChart | AxesChart;
}

export interface Container {
  readonly title?: TextObject;
  readonly rich_text_title?: RichText;
  readonly subtitle?: TextObject;
  readonly icon?: Picture;
  readonly is_collapsible?: boolean;
  readonly default_collapsed?: boolean;
  readonly has_header_divider?: boolean;
  readonly child_blocks: readonly AnyBlock[];
}

export interface Video {
  readonly title: TextObject;
  readonly title_url?: string;
  readonly video_url: string;
  readonly thumbnail_url: string;
  readonly alt_text: string;
  readonly author_name?: string;
  readonly provider_name?: string;
  readonly description?: TextObject;
}

export interface Section {
  readonly text?: TextObject;
  readonly fields?: readonly TextObject[];
  readonly accessory?: BlockElement;
}

export interface Input {
  readonly label: TextObject;
  readonly element: BlockElement;
  readonly hint?: TextObject;
  readonly optional?: boolean;
}

interface ElementList {
  readonly elements: readonly BlockElement[];
}

export interface Context {
  readonly elements: readonly (TextObject | ({ readonly type: 'image' } & Picture))[];
}

/** The blocks that can be drawn, by type. */
export interface Blocks {
  actions: ElementList;
  alert: {
    readonly text: TextObject;
    readonly level?: 'default' | 'info' | 'warning' | 'error' | 'success';
  };
  card: Card;
  carousel: { readonly elements: readonly Card[] };
  container: Container;
  context: Context;
  context_actions: ElementList;
  data_table: Table;
  data_visualization: Chart;
  divider: object;
  header: { readonly text: TextObject; readonly level?: number };
  image: Picture & { readonly title?: TextObject };
  input: Input;
  markdown: { readonly text: string };
  plan: { readonly title: string; readonly tasks?: readonly Task[] };
  rich_text: Pick<RichText, 'elements'>;
  section: Section;
  table: Table;
  task_card: Task;
  video: Video;
}

export type BlockType = keyof Blocks;

/** A block of a type that can be drawn. */
export type Block<T extends BlockType = BlockType> = {
  [K in T]: { readonly type: K; readonly block_id?: string } & Blocks[K];
}[T];

/** A block as JSON brings it. One of an unknown type is shown as unknown. */
export interface AnyBlock {
  readonly type: string;
  readonly block_id?: string;
}
