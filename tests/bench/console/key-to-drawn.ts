import type { Page } from 'playwright-core';
import { waitFor } from '../../kit/wait.ts';

/** Measures in the page: from a key that is pressed to the next frame after `watched` has changed. */
const measure = (watched: string): string => `(() => {
  window.samples = [];
  let pressed;
  document.addEventListener('keydown', () => { pressed = performance.now(); }, true);
  const changed = () => {
    const begun = pressed;
    if (begun === undefined) return;
    pressed = undefined;
    requestAnimationFrame(() => window.samples.push(performance.now() - begun));
  };
  new MutationObserver(changed).observe(document.querySelector(${JSON.stringify(watched)}), {
    childList: true, characterData: true, subtree: true,
  });
})()`;

/**
 * Presses keys one after the other, each once the one before is drawn.
 * @param watched a selector of what is drawn
 * @returns milliseconds from each key to the frame that shows it
 */
export const keysToDrawn = async (page: Page, watched: string, keys: number): Promise<number[]> => {
  await page.evaluate(measure(watched));
  for (let pressed = 1; pressed <= keys; pressed += 1) {
    await page.keyboard.press('x');
    await waitFor(
      'the key to be drawn',
      async () => (await page.evaluate<number>('window.samples.length')) >= pressed,
    );
  }
  return page.evaluate<number[]>('window.samples');
};
