import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import type { Data } from '../data/data-values.ts';
import { sendLines } from './send-lines.ts';
import styles from './versions.module.css';

/** Says that a template can be sent from now on, by people and by programs. */
export const IsLive = ({
  templateKey,
  number,
  data,
  channel,
  onSend,
  onClose,
}: {
  templateKey: string;
  number: number;
  data: Data;
  channel: string | undefined;
  /** Goes on to choose who gets it. */
  onSend: () => void;
  onClose: () => void;
}) => {
  const { curl, sdk, cli } = sendLines({ origin: window.location.origin, key: templateKey, data, channel });
  const maySend = useMay('messages:create');
  return (
    <Dialog wide title={`Version ${number} is live`} onClose={onClose}>
      <div className={styles.body}>
        <p>
          {maySend
            ? 'It can be sent now: by you, to a channel or a person, by a schedule or a queue, and by programs.'
            : 'It can be sent now. Your role or key lacks the scope messages:create, so others do that.'}
        </p>
        <details>
          <summary>For programs</summary>
          <div className={styles.body}>
            <p>
              They send it by its key <code>{templateKey}</code> with an API key of this environment, which
              you create under <ScreenLink screen="keys">Keys</ScreenLink>. The lines read it from the
              variable <code>KEY</code>. <a href="/downloads/">Downloads</a> shows how to install the SDK and
              the command.
            </p>
            <h3>curl</h3>
            <Copyable label="curl" text={curl} />
            <h3>SDK for TypeScript</h3>
            <Copyable label="SDK" text={sdk} />
            <h3>Command line</h3>
            <Copyable label="Command" text={cli} />
          </div>
        </details>
        <FormEnd>
          <Button onClick={onClose}>Done</Button>
          {maySend && (
            <Button look="primary" data-begins onClick={onSend}>
              Send it…
            </Button>
          )}
        </FormEnd>
      </div>
    </Dialog>
  );
};
