import type { Locator } from 'playwright-core';
import { Author } from './author.ts';

/** More stops of the Tab key than any screen has. */
const maxStops = 300;

/** What is written where the focus is cannot be seen from outside the page. */
const focusIsVisible = `(() => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
  return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
})()`;

/** A person without a mouse: everything is reached with the Tab key, and its focus can be seen. */
export class KeyboardAuthor extends Author {
  override async click(what: Locator): Promise<void> {
    await what.waitFor();
    if ((await what.getAttribute('role')) === 'tab') {
      await this.#reach(what.locator('..').getByRole('tab', { selected: true }));
      await this.page.keyboard.press('ArrowRight');
      return;
    }
    await this.#reach(what);
    await this.page.keyboard.press('Enter');
  }

  override async fill(what: Locator, text: string): Promise<void> {
    await what.waitFor();
    await this.#reach(what);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  override async select(what: Locator, label: string): Promise<void> {
    await what.waitFor();
    await this.#reach(what);
    await this.page.keyboard.type(label);
  }

  override async edit(_drawn: string, row: RegExp): Promise<void> {
    await this.click(this.region('Blocks').getByRole('button', { name: row }));
    await this.seesFields();
  }

  /** Presses Tab until the focus is there. */
  async #reach(what: Locator): Promise<void> {
    const focused = what.and(this.page.locator(':focus'));
    for (let stop = 0; (await focused.count()) === 0; stop += 1) {
      if (stop === maxStops) throw new Error(`the Tab key does not lead to ${what.toString()}`);
      await this.page.keyboard.press('Tab');
    }
    if (!(await this.page.evaluate(focusIsVisible)))
      throw new Error(`no focus is seen on ${what.toString()}`);
  }
}
