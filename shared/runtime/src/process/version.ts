import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** Of the checkout and of the image alike: sources and what is built from them lie equally deep. */
const file = new URL('../../../../package.json', import.meta.url);

/** The version of Stanza. It is written in the top package.json and nowhere else. */
export const productVersion: string = manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
