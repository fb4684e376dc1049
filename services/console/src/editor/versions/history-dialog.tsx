import type { Activation } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import type { TemplateDocument } from '../document/document.ts';
import type { Evaluated } from '../evaluation/evaluate.ts';
import type { Sender } from '../preview.tsx';
import type { Authors } from '../use-authors.ts';
import { type Loaded, useVersion } from './api.ts';
import { BeforeAfter } from './before-after.tsx';
import { useRefusal } from './use-refusal.ts';
import styles from './versions.module.css';

/** Versions that are seen at a glance; more of them have a search. */
const atAGlance = 8;

/** Who made which version live, and when: the last time of each. */
const useMadeLive = (template: string): ReadonlyMap<string, Activation> => {
  const input = { params: { id: template }, query: { limit: 100 } };
  // The newest come first, so that they are what stays.
  const { data = [] } = useRead(api.listActivations, input, { staleMs: 0 }).data ?? {};
  return new Map(data.toReversed().map((one) => [one.version_id, one]));
};

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const MadeLive = ({ of, when }: { of: Activation | undefined; when: (at: string, by: string) => string }) =>
  of && <>, made live {when(of.created_at, of.activated_by)}</>;

/** The versions of a template: compared with what is on the screen, opened, made live again. */
export const HistoryDialog = ({
  loaded,
  document,
  given,
  sender,
  authors,
  mayActivate,
  onMakeLive,
  onOpen,
  onClose,
}: {
  loaded: Loaded;
  document: TemplateDocument;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
  authors: Authors;
  mayActivate: boolean;
  onMakeLive: (versionId: string) => void;
  onOpen: (blocks: readonly unknown[]) => void;
  onClose: () => void;
}) => {
  const { template, versions } = loaded;
  const [chosen, choose] = useState<string>();
  const { isRefused } = useRefusal(loaded);
  const version = useVersion(template.id, chosen);
  const madeLive = useMadeLive(template.id);
  const [words, setWords] = useState('');
  const found = versions.filter(({ version_number, note, created_by }) =>
    `version ${version_number} ${note ?? ''} ${authors.nameOf(created_by)}`
      .toLowerCase()
      .includes(words.trim().toLowerCase()),
  );
  const when = (at: string, by: string): string => `${moment.format(new Date(at))} · ${authors.nameOf(by)}`;
  return (
    <Dialog wide title="History" onClose={onClose}>
      {versions.length === 0 && <Empty title="No versions yet">Save a version to begin the history.</Empty>}
      {versions.length > atAGlance && (
        <>
          <TextField
            label="Search versions"
            type="search"
            placeholder="Number, note or author"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <p role="status">
            {found.length} of {versions.length} versions
          </p>
        </>
      )}
      <ol className={styles.versions} aria-label="Versions">
        {found.map(({ id, version_number, note, created_at, created_by, is_current, status }) => (
          <li key={id} aria-label={`Version ${version_number}`} data-chosen={id === chosen}>
            <div className={styles.version}>
              <strong>Version {version_number}</strong>
              <StateBadge state={is_current ? 'live' : status === 'draft' ? 'never live' : 'was live'} />
              <span className={styles.note}>{note}</span>
              <span className={styles.facts}>
                {when(created_at, created_by)}
                <MadeLive of={madeLive.get(id)} when={when} />
              </span>
            </div>
            <div className={styles.versionActions}>
              <Button
                look="quiet"
                aria-expanded={id === chosen}
                aria-label={`Compare version ${version_number}`}
                onClick={() => choose(id === chosen ? undefined : id)}
              >
                Compare
              </Button>
              {!is_current && mayActivate && (
                <Button
                  aria-label={`${isRefused({ version: id }) ? 'Propose…' : 'Make live:'} version ${version_number}`}
                  onClick={() => onMakeLive(id)}
                >
                  {isRefused({ version: id }) ? 'Propose…' : 'Make live'}
                </Button>
              )}
            </div>
            {id === chosen && version.isError && <Failure error={version.error} />}
            {id === chosen && version.isPending && <Loading />}
            {id === chosen && version.data && (
              <div className={styles.compared}>
                <p className={styles.none}>From this version to what is on the screen:</p>
                <BeforeAfter
                  before={{ title: `Version ${version_number}`, blocks: version.data.blocks }}
                  after={{ title: 'On the screen', blocks: document.blocks }}
                  given={given}
                  sender={sender}
                />
                <Button onClick={() => onOpen(version.data.blocks)}>Open in editor</Button>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
};
