import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { generatedHead } from './write-types.ts';

const root = join(import.meta.dirname, '../../..');
const viewFolder = join(root, 'shared/block-view');

/** The file of the page, which the agents' side serves as it is. */
export const agentViewFile = 'shared/mcp/src/preview-view.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The stylesheet with what it imports in its place. */
const styles = (): string => {
  const folder = join(viewFolder, 'styles');
  const list = readFileSync(join(folder, 'block-view.css'), 'utf8');
  return [...list.matchAll(/@import url\("([^"]+)"\)/g)]
    .map(([, file = '']) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};

const script = async (): Promise<string> => {
  const bundle = await rolldown({ input: join(viewFolder, 'src/agent-view.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [chunk] = output;
  // A text that would end the element cannot stand in it.
  return chunk.code.trim().replaceAll('</script', String.raw`<\/script`);
};

/** Makes the page that shows a preview next to an agent: one document, whose policy lets it load nothing. */
export const agentViewSource = async (): Promise<string> => {
  const [code, css] = [await script(), styles()];
  const policy = `default-src 'none'; script-src ${digest(code)}; style-src ${digest(css)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width"><title>Preview</title>',
    `<style>${css}</style></head><body><script>${code}</script></body></html>`,
  ].join('');
  return `${generatedHead('shared/block-view')}\n/** The page that shows a preview beside an agent. */\nexport const previewView =\n  ${JSON.stringify(page)};\n`;
};
