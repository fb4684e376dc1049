import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const assets = join(import.meta.dirname, '../../services/console/dist/assets');

/** A template with its data, as the editor gives it to the engine in its worker. */
export interface Given {
  readonly blocks: readonly unknown[];
  readonly data: unknown;
  readonly fallbackText?: string | undefined;
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
  readonly strict?: boolean | undefined;
}

/** What the worker of the page answers: the output as text, or what is wrong. */
export interface PageAnswer {
  /** JSON; undefined where nothing can be made. */
  readonly output: string | undefined;
  /** Pointer and sentence of each problem. */
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/** Asks the worker one question for each case, and answers in their order; runs in the page. */
const asking = (script: string): string => `(text) => new Promise((resolve, reject) => {
  const cases = JSON.parse(text);
  globalThis.stanzaPolicy ??= trustedTypes.createPolicy('stanza-worker', { createScriptURL: (url) => url });
  const worker = new Worker(globalThis.stanzaPolicy.createScriptURL('/console/assets/${script}'), { type: 'module' });
  const answers = [];
  let count = 0;
  worker.onerror = (event) => reject(new Error(event.message || 'the worker cannot be loaded'));
  worker.onmessage = ({ data: { id, evaluation } }) => {
    const { output, findings } = evaluation;
    answers[id] = {
      output: output === undefined ? null : JSON.stringify(output),
      problems: findings.filter(({ kind }) => kind === 'problem').map(({ pointer, message }) => ({ pointer, message })),
    };
    count += 1;
    if (count < cases.length) return;
    worker.terminate();
    resolve(JSON.stringify(answers));
  };
  cases.forEach((given, id) => worker.postMessage({ id, ask: 'run', given }));
})`;

/**
 * Runs templates in the engine of the console's build, in a worker of a page below `/console/`, under that page's policy.
 * @param page at an address of the console that has not begun its own worker, such as that of signing in
 */
export const runInPage = async (page: Page, cases: readonly Given[]): Promise<PageAnswer[]> => {
  if (cases.length === 0) return [];
  const script = readdirSync(assets).find((file) => /^engine-worker-.*\.js$/.test(file));
  if (script === undefined) throw new Error('the build of the console has no engine');
  // As a text within the script: an object literal would take `__proto__` of the data for a prototype.
  const given = JSON.stringify(JSON.stringify(cases));
  const answered = await page.evaluate<string>(`(${asking(script)})(${given})`);
  const answers: { output: string | null; problems: PageAnswer['problems'] }[] = JSON.parse(answered);
  return answers.map(({ output, problems }) => ({ output: output ?? undefined, problems }));
};
