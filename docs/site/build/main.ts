/** Builds the site into `dist/site`, each file also compressed, so that the gateway compresses nothing. */
import { join } from 'node:path';
import { build } from 'vitepress';
import { compress } from '../../../services/console/build/compress.ts';
import { prepare } from './prepare.ts';

prepare();
await build(join(import.meta.dirname, '..'));
compress(join(import.meta.dirname, '../dist/site'));
