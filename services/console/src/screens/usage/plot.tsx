import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import styles from './plot.module.css';

const colourOf = (name: string, at: Element): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  at.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const count = new Intl.NumberFormat('en');

/** Steps between the lines of a count, which has no halves. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((it) => it * 10 ** power)).flat();

/** Draws bars into an element; returns what takes them away. */
const draw = (frame: HTMLElement, days: readonly string[], values: readonly number[]): (() => void) => {
  const ink = colourOf('--ink-faint', frame);
  const line = colourOf('--line', frame);
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const plot = new uPlot(
    {
      width: frame.clientWidth,
      height: 220,
      cursor: { show: false },
      legend: { show: false },
      scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      axes: [
        { ...axis, size: 30, values: (_, splits) => splits.map((seconds) => dayOf.format(seconds * 1_000)) },
        { ...axis, size: 64, incrs: wholeSteps, values: (_, splits) => splits.map((it) => count.format(it)) },
      ],
      series: [
        {},
        {
          fill: colourOf('--accent', frame),
          stroke: colourOf('--accent', frame),
          points: { show: false },
          ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
        },
      ],
    },
    [days.map((day) => Date.parse(day) / 1_000), [...values]],
    frame,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height: 220 }));
  sizes.observe(frame);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
};

/** A plot of a value by day. It is a picture: the table beside it has the same figures for everybody. */
export const Plot = ({
  label,
  days,
  values,
}: {
  label: string;
  days: readonly string[];
  values: readonly number[];
}) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = ref.current;
    if (frame === null) return;
    let erase = draw(frame, days, values);
    const again = (): void => {
      erase();
      erase = draw(frame, days, values);
    };
    // The colours of a canvas do not follow the theme by themselves.
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    dark.addEventListener('change', again);
    return () => {
      theme.disconnect();
      dark.removeEventListener('change', again);
      erase();
    };
  }, [days, values]);
  return <div ref={ref} className={styles.plot} role="img" aria-label={label} />;
};
