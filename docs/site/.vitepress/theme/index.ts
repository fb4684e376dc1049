import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { DrawnExhibit } from './drawn-exhibit.ts';
import './style.css';

/** The theme of the generator, without fonts of its own, and the drawings of the gallery. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('DrawnExhibit', DrawnExhibit),
};

export default theme;
