import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import type { Data } from '../data/data-values.ts';
import { sendLines } from './send-lines.ts';
import styles from './versions.module.css';

/** Says that a template can be sent from now on, and how programs do it. */
export const IsLive = ({
  templateKey,
  number,
  data,
  channel,
  onClose,
}: {
  templateKey: string;
  number: number;
  data: Data;
  channel: string | undefined;
  onClose: () => void;
}) => {
  const { curl, sdk, cli } = sendLines({ origin: window.location.origin, key: templateKey, data, channel });
  return (
    <Dialog wide title={`Version ${number} is live`} onClose={onClose}>
      <div className={styles.body}>
        <p>
          Programs send it by its key <code>{templateKey}</code> with an API key of this environment, which
          you create under <ScreenLink screen="keys">Keys</ScreenLink>. The lines read it from the variable{' '}
          <code>KEY</code>. <a href="/downloads/">Downloads</a> shows how to install the SDK and the command.
        </p>
        <h3>curl</h3>
        <Copyable label="curl" text={curl} />
        <h3>SDK for TypeScript</h3>
        <Copyable label="SDK" text={sdk} />
        <h3>Command line</h3>
        <Copyable label="Command" text={cli} />
        <FormEnd>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </FormEnd>
      </div>
    </Dialog>
  );
};
