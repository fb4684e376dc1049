import type { Api, ApiAnswer } from './api.ts';
import { liveTemplate } from './templates.ts';

/** A template that asks for as much work as it can, with data that makes it do it. */
export interface HostileTemplate {
  blocks: unknown[];
  data: object;
}

const each = (path: string, children: unknown[]) => ({
  type: 'directive',
  directive: '#each',
  path,
  children,
});
const hidden = {
  type: 'directive',
  directive: '#if',
  condition: { path: 'never' },
  children: [{ type: 'divider' }],
};
const nest = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : each('items', [nest(levels - 1, inner)]);
const line = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
const richText = (text: string) => ({ type: 'rich_text', elements: [nest(1, line(text))] });

/** Hostile templates, by the way in which they ask for endless work. */
export const hostileTemplates: Readonly<Record<string, HostileTemplate>> = {
  'loops in loops': { blocks: [nest(7, hidden)], data: { items: Array(200).fill(1) } },
  'a huge list': { blocks: [each('items', [hidden])], data: { items: Array(100_000).fill(1) } },
  'long texts again and again': {
    blocks: [richText('{{long | upper | lower | truncate:1}}')],
    data: { items: Array(5_000).fill(1), long: 'x'.repeat(200_000) },
  },
  'big values made into JSON': {
    blocks: [richText('{{list | json | truncate:1}}')],
    data: { items: Array(5_000).fill(1), list: Array(50_000).fill('x') },
  },
  'a very large message': {
    blocks: [richText('{{long}}')],
    data: { items: Array(200).fill(1), long: '一'.repeat(10_000) },
  },
};

/**
 * Makes hostile templates live.
 * @returns by name the body of a compile, serialized once: a large body costs its sender as much as its receiver
 */
export const hostileBodies = async (api: Api): Promise<Map<string, string>> => {
  const bodies = new Map<string, string>();
  for (const [name, { blocks, data }] of Object.entries(hostileTemplates)) {
    const { id } = await liveTemplate(api, blocks);
    bodies.set(name, JSON.stringify({ template_id: id, data }));
  }
  return bodies;
};

/** Whether the engine refused the compile because the template exceeds one of its limits. */
export const isRefusedByLimit = ({ status, body }: Pick<ApiAnswer, 'status' | 'body'>): boolean => {
  const { code, details } = Object(body);
  return status === 400 && code === 'compilation_failed' && /engine\.\w+/.test(String(details));
};
