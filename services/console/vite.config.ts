import { join } from 'node:path';
import { messages } from '@stanza/gallery/exhibits';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Where the development server sends requests of the API; the stack of `npm run dev` listens there. */
const gateway = process.env.STANZA_URL ?? 'http://127.0.0.1:8787';
const proxy = Object.fromEntries(['/v1', '/console/auth', '/openapi.json'].map((path) => [path, gateway]));

const blockView = join(import.meta.dirname, '../../shared/block-view');

const galleryId = 'virtual:gallery';

/** The messages of the gallery as a module: what each is made of, its data and its blocks. */
const gallery = (): Plugin => ({
  name: 'gallery',
  resolveId: (id) => (id === galleryId ? `\0${galleryId}` : undefined),
  load: (id) => {
    if (id !== `\0${galleryId}`) return undefined;
    const shown = messages.map(({ slug, source, data, expected }) => ({
      slug,
      source,
      data,
      blocks: expected.blocks,
    }));
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(shown))});`;
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), gallery()],
  worker: { format: 'es' },
  // The sources of other packages: the compiler, which writes the rest, runs next to the bundler.
  resolve: {
    conditions: ['@stanza/source', ...defaultClientConditions],
    alias: [{ find: /^@stanza\/block-view$/, replacement: `${blockView}/src/index.ts` }],
  },
  server: { port: 8790, strictPort: true, proxy },
  build: {
    outDir: 'dist',
    target: 'es2024',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
