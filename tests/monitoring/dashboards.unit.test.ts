import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { dashboards } from './dashboards/index.ts';
import { faultsOf, knownSeries, strangeValues } from './expressions.ts';
import { objectiveRules } from './objectives.ts';

const folder = join(import.meta.dirname, '../../deploy/grafana/dashboards');

const place = z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() });
const written = z.object({
  uid: z.string(),
  panels: z.array(z.object({ id: z.int(), type: z.string(), gridPos: place })),
});
const files = globSync('*.json', { cwd: folder }).map((file) => ({
  file,
  ...written.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
}));

const recorded = new Set([...objectiveRules().matchAll(/record: (\S+)/g)].map((match) => match[1] ?? ''));
const known = knownSeries();
const panels = dashboards.flatMap((board) =>
  Object.values(board.rows).flatMap((row) => row.map((panel) => ({ board: board.uid, ...panel }))),
);

describe('dashboards', () => {
  it.each(panels.map((panel) => [`${panel.board}: ${panel.title}`, panel] as const))(
    '%s shows what processes tell, by labels that they have',
    (_name, { lines }) => {
      const expressions = Object.values(lines);
      expect(expressions.flatMap((it) => [...faultsOf(it, known, recorded), ...strangeValues(it)])).toEqual(
        [],
      );
      for (const [legend, expression] of Object.entries(lines)) {
        const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');
        const grouping = /by \(([^)]*)\)/.exec(expression)?.[1]?.split(', ') ?? ['service', 'instance'];
        expect(grouping).toEqual(expect.arrayContaining(shown));
      }
    },
  );

  it('say of every panel what it shows and in what unit', () => {
    for (const { description, unit, lines } of panels) {
      expect(description).toMatch(/^[A-Z0-9].{10,}\.$/);
      expect(unit).not.toBe('');
      expect(Object.keys(lines).length).toBeGreaterThan(0);
    }
  });

  it('choose by labels that exist', () => {
    for (const [label, metric] of dashboards.flatMap((it) => Object.entries(it.choices ?? {}))) {
      expect(known.get(metric)).toContain(label);
    }
  });

  it('have panels with ids of their own that do not overlap', () => {
    expect(files.map((it) => it.file).sort()).toEqual(dashboards.map((it) => `${it.uid}.json`).sort());
    expect(new Set(files.map((it) => it.uid)).size).toBe(files.length);
    for (const board of files) {
      const ids = board.panels.map((panel) => panel.id);
      expect(new Set(ids).size).toBe(ids.length);
      const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
    }
  });

  it('leave out no metric that an alert is about', () => {
    const alerts = ['alerts', 'exporters'].map((file) =>
      readFileSync(join(folder, `../../prometheus/rules/${file}.yml`), 'utf8'),
    );
    const alerted = new Set(
      [...alerts.join('').matchAll(/expr: .*/g)].flatMap(
        ([line]) => line.match(/(?:stanza|pg|node)_\w+/g) ?? [],
      ),
    );
    const shown = JSON.stringify(panels);
    const hidden = [...alerted].filter((name) => !shown.includes(name));
    expect(hidden).toEqual([]);
  });
});
