import type { TemplateVersion } from '@stanza/contracts';
import { useMemo, useState } from 'react';
import type { Trial } from '../data/data-region.tsx';
import type { Finding } from '../evaluation/findings.ts';
import { useEvaluation } from '../evaluation/use-evaluation.ts';
import type { TemplateAndLive } from '../versions/api.ts';

/** No data, in the template's own language and time zone. */
export const nothing: Trial = { data: {}, locale: '', timezone: '' };

const noFindings: readonly Finding[] = [];

/** What a trial says to the API, besides the template. */
export const bodyOfTrial = ({ data, locale, timezone }: Trial) => ({
  data,
  ...(locale !== '' && { locale }),
  ...(timezone !== '' && { timezone }),
});

/** What a version of a template makes of data, and how its message is posted. */
export const useDrawing = (
  template: TemplateAndLive,
  version: Pick<TemplateVersion, 'blocks'> | undefined,
  { data, locale, timezone }: Trial,
) => {
  const given = useMemo(
    () =>
      version && {
        blocks: version.blocks,
        data,
        strict: template.strict,
        ...(template.fallback_text !== null && { fallbackText: template.fallback_text }),
        ...((locale || template.locale) && { locale: locale || (template.locale ?? '') }),
        ...((timezone || template.timezone) && { timezone: timezone || (template.timezone ?? '') }),
      },
    [version, data, template, locale, timezone],
  );
  const { evaluation, error } = useEvaluation(given);
  const [fields, keepFields] = useState(evaluation?.fields);
  if (evaluation?.fields !== undefined && evaluation.fields !== fields) keepFields(evaluation.fields);
  const sender = {
    ...(template.user_name !== null && { username: template.user_name }),
    ...(template.icon_emoji !== null && { icon_emoji: template.icon_emoji }),
    locale: given?.locale,
    timeZone: given?.timezone,
  };
  const isDrawn = evaluation !== undefined || error !== undefined;
  return {
    output: evaluation?.output,
    fields,
    findings: evaluation?.findings ?? noFindings,
    sender,
    isDrawn,
  };
};
