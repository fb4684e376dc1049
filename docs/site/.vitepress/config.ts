import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../build/anchor-of.ts';
import { inlineScripts } from './inline-scripts.ts';

const { version, nav, sidebar } = JSON.parse(
  readFileSync(new URL('../dist/menus.json', import.meta.url), 'utf8'),
);

const scripts = inlineScripts();

export default defineConfig({
  title: 'Stanza',
  description: 'Self-hosted template messaging: templates and data in, chat messages out',
  base: '/docs/',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  // The generator would switch transitions off by a style that stands in the page, which the content policy refuses.
  appearance: { disableTransition: false },
  // The state of every page is a file, and no script stands in a page: the content policy of the gateway needs no exception.
  metaChunk: true,
  transformHtml: (html) => scripts.moved(html),
  buildEnd: ({ outDir }) => scripts.write(outDir),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Anchors as code hosts make them, so that a link leads to the same heading here and there.
    anchor: { slugify: anchorOf },
    config: ({ renderer: { rules } }) => {
      // Placeholders of templates are no expressions of the page.
      for (const name of ['text', 'code_inline'] as const) {
        const render = rules[name];
        rules[name] = (...given) => (render?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 5_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Pages', items: nav },
      { text: 'API explorer', link: '/explorer/', target: '_self' },
      {
        text: version,
        items: [
          { text: 'What is new', link: '/changelog' },
          { text: 'Upgrading', link: '/upgrading' },
        ],
      },
    ],
  },
});
