import { useMemo } from 'react';
import type { Trial } from '../../editor/data/data-region.tsx';
import type { TemplateDocument } from '../../editor/document/document.ts';
import type { Output } from '../../editor/evaluation/evaluate.ts';
import type { JsonObject } from '../../json.ts';

/** The platform shows no longer titles and buttons. */
export const longestLabel = 24;

/** A text that a modal says of itself. */
export const textOf = (document: JsonObject, key: string): string => {
  const value = document[key];
  return typeof value === 'string' ? value : '';
};

/** A view as the chat platform shows it. */
export const viewOf = (document: TemplateDocument, { blocks }: Output) => {
  const plain = (key: string) => ({ type: 'plain_text' as const, text: textOf(document, key) });
  return {
    type: 'modal' as const,
    title: plain('title'),
    ...(textOf(document, 'submit_label') !== '' && { submit: plain('submit_label') }),
    ...(textOf(document, 'close_label') !== '' && { close: plain('close_label') }),
    blocks,
  };
};

/** What a view is made with besides its blocks. */
export const useGivenOfView = ({ data, locale, timezone }: Trial) =>
  useMemo(
    () => ({
      surface: 'view' as const,
      data,
      ...(locale !== '' && { locale }),
      ...(timezone !== '' && { timezone }),
    }),
    [data, locale, timezone],
  );
