import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A payload found in the wild, or one that breaches exactly one limit. */
export interface CorpusSample {
  readonly file: string;
  /** `message`, `modal` or `home`. */
  readonly surface: string;
  readonly blocks: unknown;
  /** The breached limit in words; valid ones have none. */
  readonly rule?: string;
}

/** The corpus is optional data next to the project. */
const FOLDER =
  process.env.STANZA_CORPUS ?? fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));

/** All samples of a kind; none without the corpus. */
export function corpusSamples(kind: 'valid' | 'invalid'): CorpusSample[] {
  const folder = `${FOLDER}/${kind}`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const sample: Omit<CorpusSample, 'file'> = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
      return { ...sample, file };
    });
}
