import type { ScheduledMessageDetails, TemplateVersion } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { PreviewedMessage } from '../../editor/preview.tsx';
import { Findings } from '../../editor/send/send-dialog.tsx';
import { useDrawing } from '../../editor/send/use-drawing.ts';
import { type TemplateAndLive, useVersion } from '../../editor/versions/api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { useRunData } from './scheduled-content.tsx';

interface Scheduled {
  schedule: ScheduledMessageDetails;
}

const Drawn = ({
  schedule: { data, locale, timezone },
  template,
  version,
}: Scheduled & { template: TemplateAndLive; version: TemplateVersion }) => {
  const trial = {
    data,
    locale: locale === null || locale === 'recipient' ? '' : locale,
    timezone: timezone ?? '',
  };
  const { output, findings, sender } = useDrawing(template, version, useRunData(trial));
  return (
    <Section title="The message" about="As it would be sent now, with the version that is live.">
      <Card>
        {output && <PreviewedMessage output={output} sender={sender} />}
        <Findings findings={findings} />
      </Card>
    </Section>
  );
};

/** What a schedule sends, drawn, where that may be seen. */
export const ScheduledMessagePart = ({ schedule }: Scheduled) => {
  const { template_id: id } = schedule;
  const template = useRead(api.getTemplate, { params: { id } }, { enabled: useMay('templates:read') }).data;
  const version = useVersion(id, template?.current_version?.id).data;
  return template && version ? <Drawn schedule={schedule} template={template} version={version} /> : null;
};
