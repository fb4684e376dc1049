import { counted } from '../../grammar/counted.ts';
import { type BlockKind, ofMessages } from '../block-kind.ts';
import { summarizeTitle } from '../summary.ts';
import { boundChart } from './bound-chart.ts';
import { dataVisualizationShape } from './native-chart.ts';

/** A chart as the platform takes it. */
export const dataVisualization: BlockKind = {
  type: 'data_visualization',
  ...counted('message.charts', { surfaces: ofMessages, shape: dataVisualizationShape }),
  summary: summarizeTitle,
};

/** A chart of a list of the data. */
export const chart: BlockKind = {
  type: 'chart',
  ...counted('message.charts', boundChart),
  summary: summarizeTitle,
};
