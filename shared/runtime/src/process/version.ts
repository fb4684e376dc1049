import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** The same path in a checkout and in the image: sources and their build are equally deep. */
const file = new URL('../../../../package.json', import.meta.url);

/** The version of Stanza. It is written in the top package.json and nowhere else. */
export const productVersion: string = manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
