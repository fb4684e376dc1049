import type { Locator, Page } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';

/** A person who writes a template: everything by roles and labels, each press and each text counted. */
export class Author {
  readonly page: Page;
  readonly opened: ConsolePage;
  /** Presses, and texts that were typed. */
  interactions = 0;

  constructor(opened: ConsolePage) {
    this.opened = opened;
    this.page = opened.page;
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** A field of the data beside the preview. */
  field(name: string): Locator {
    return this.region('Data').getByRole('textbox', { name, exact: true });
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Chooses with the mouse. */
  async click(what: Locator): Promise<void> {
    this.interactions += 1;
    await what.click();
  }

  /** Writes into a field. */
  async fill(what: Locator, text: string): Promise<void> {
    this.interactions += 1;
    await what.fill(text);
  }

  /** Writes where the focus is. */
  async type(text: string): Promise<void> {
    this.interactions += 1;
    await this.page.keyboard.type(text);
  }

  async key(name: string): Promise<void> {
    this.interactions += 1;
    await this.page.keyboard.press(name);
  }

  /** Opens the palette, finds a block, and adds it: the focus is in its first field. */
  async add(block: string): Promise<void> {
    await this.key('/');
    await this.choose(block);
  }

  /** Finds a block in the palette that is open, and adds it. */
  async choose(block: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Search blocks' }).waitFor();
    await this.type(block);
    await this.key('Enter');
  }

  /** Goes to a screen of the navigation, which a narrow page has behind a button. */
  async goTo(screen: string): Promise<void> {
    const menu = this.button('Menu');
    if (await menu.isVisible()) await this.click(menu);
    await this.click(this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }));
  }

  /** Chooses one of a list of options. */
  async select(what: Locator, label: string): Promise<void> {
    this.interactions += 1;
    await what.selectOption({ label });
  }

  /**
   * Presses a drawn block, which leads to the end of its text. `row` is the one of the outline for those without a mouse.
   */
  async edit(drawn: string, _row: RegExp): Promise<void> {
    await this.click(this.region('Preview').getByText(drawn).first());
    await this.seesFields();
  }

  /** Waits until the focus stands in a field of the chosen block. */
  async seesFields(): Promise<void> {
    await this.page
      .getByRole('region', { name: / fields$/ })
      .locator(':focus')
      .waitFor();
  }

  /** Waits until the message that is drawn says this. */
  async seesDrawn(text: string): Promise<void> {
    await this.region('Preview').getByText(text).first().waitFor();
  }

  /** Waits until the focus stands there. */
  async seesFocusOn(what: Locator): Promise<void> {
    await what.and(this.page.locator(':focus')).waitFor();
  }

  /** Waits until the server has what is on the screen. */
  async seesKept(): Promise<void> {
    await this.page.getByRole('status').getByText('draft kept', { exact: true }).waitFor();
  }

  /** Begins a template without blocks of others, whose name is asked first. */
  async beginBlank(name: string): Promise<void> {
    await this.click(this.button('Blank'));
    await this.page.getByRole('dialog', { name: 'New blank template' }).waitFor();
    await this.type(name);
    await this.key('Enter');
  }

  /** Waits until no dialog is open. */
  async seesNoDialog(): Promise<void> {
    await this.dialog().first().waitFor({ state: 'hidden' });
  }
}
