/**
 * What the engine knows of the chat platform: figures, closed lists, forms of texts that machines read, and the inline
 * elements of rich text. For what stands in for the platform, so that both judge by one table.
 */

export { isKnownType } from './blocks/catalogue.ts';
export { buttonIcons, cardIcons } from './blocks/platform-lists.ts';
export { inlineKinds } from './blocks/rich-text-inline.ts';
export {
  calendarDate,
  numeral,
  pressedAddress,
  secureAddress,
  type TextForm,
  textForms,
  timeOfDay,
  timeZone,
  webAddress,
} from './grammar/forms.ts';
export { describeShape } from './grammar/object.ts';
export { mayBeNew } from './grammar/unknown.ts';
export { comparedOn, type LimitName, limitOf } from './limits.ts';
export type { Description, ShapeDescription } from './parse/description.ts';
