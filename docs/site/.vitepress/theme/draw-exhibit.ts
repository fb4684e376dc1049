import { drawMessage, drawModal, withoutPictures } from '../../../../shared/block-view/src/index.ts';
import exhibits from '../../dist/exhibits.json';

const all: Record<string, { kind: string; shown: object; locale?: string; timeZone?: string }> = exhibits;

/** Draws an exhibit by its name. Pictures that lie elsewhere are plain: the site loads nothing from there. */
export const draw = (slug: string): HTMLElement => {
  const exhibit = all[slug];
  if (exhibit === undefined) throw new Error(`the gallery has no ${slug}`);
  const { kind, shown, ...context } = exhibit;
  const plain = JSON.parse(JSON.stringify(withoutPictures(shown)));
  return kind === 'modal' ? drawModal(plain, context) : drawMessage(plain, context);
};
