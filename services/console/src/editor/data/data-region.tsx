import type { InputField } from '@stanza/engine';
import { useId } from 'react';
import { isObject } from '../../json.ts';
import { Button } from '../../ui/button.tsx';
import region from '../editor.module.css';
import { JsonInput } from '../inspector/json-input.tsx';
import styles from './data.module.css';
import { DataFields } from './data-fields.tsx';
import { type Data, emptyLists, longData } from './data-values.ts';
import { SavedData } from './saved-data.tsx';

/** What the preview is made with, besides the template. */
export interface Trial {
  readonly data: Data;
  /** What was written, while something else is tried in its place. */
  readonly own?: Data | undefined;
  /** BCP 47; empty for the template's own. */
  readonly locale: string;
  /** IANA name; empty for the template's own. */
  readonly timezone: string;
}

/** What is kept of a trial: what was written, and not what is tried in its place. */
export const keptOf = ({ data, own, locale, timezone }: Trial): Trial => ({
  data: own ?? data,
  locale,
  timezone,
});

const locales = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ja-JP'];
const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Tokyo',
];

/** The data beside the preview: a form made from what the template reads. */
export const DataRegion = ({
  templateId,
  sample = null,
  fields,
  trial,
  onChange,
  hasPlace = true,
  isTried = false,
}: {
  /** Whose saved data are offered; none are where it is undefined. */
  templateId: string | undefined;
  /** The data that the version was written with, where they are offered to begin with. */
  sample?: Data | null | undefined;
  /** Undefined until the template could be parsed once. */
  fields: readonly InputField[] | undefined;
  trial: Trial;
  onChange: (trial: Trial) => void;
  /** Whether language and time zone are asked for. */
  hasPlace?: boolean;
  /** Whether values are offered that try the template: not where they would be sent. */
  isTried?: boolean;
}) => {
  const id = useId();
  const { data, own } = trial;
  // What is written while something is tried is one's own from then on.
  const put = (next: Data): void => onChange({ ...trial, data: next, own: undefined });
  const known = fields ?? [];
  const tryOut = (made: Data): void => onChange({ ...trial, data: made, own: own ?? data });
  return (
    <section className={region.region} aria-labelledby={`${id}-title`}>
      <div className={region.regionHead}>
        <h2 id={`${id}-title`}>Data</h2>
        {isTried && (
          <div className={styles.tries}>
            <Button look="quiet" onClick={() => tryOut(emptyLists(known, own ?? data))}>
              Empty lists
            </Button>
            <Button look="quiet" onClick={() => tryOut(longData(known))}>
              Longest text
            </Button>
            <Button look="quiet" onClick={() => tryOut({})}>
              Missing values
            </Button>
            {own && <Button onClick={() => put(own)}>Back to your data</Button>}
          </div>
        )}
      </div>
      {templateId !== undefined && (
        <SavedData templateId={templateId} sample={sample} data={data} onLoad={put} />
      )}
      {fields === undefined ? null : known.length === 0 ? (
        <p className={region.note}>
          The template reads no data yet. Write a placeholder like <code>{'{{service}}'}</code> into a text,
          and its field appears here.
        </p>
      ) : (
        <DataFields fields={known} value={data} onChange={put} />
      )}
      {hasPlace && fields !== undefined && (
        <div className={styles.place}>
          <label className={styles.field}>
            <span>Language and region</span>
            <input
              list={`${id}-locales`}
              value={trial.locale}
              placeholder="as the template"
              onChange={({ target }) => onChange({ ...trial, locale: target.value })}
            />
          </label>
          <label className={styles.field}>
            <span>Time zone</span>
            <input
              list={`${id}-zones`}
              value={trial.timezone}
              placeholder="as the template"
              onChange={({ target }) => onChange({ ...trial, timezone: target.value })}
            />
          </label>
          <datalist id={`${id}-locales`}>
            {locales.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <datalist id={`${id}-zones`}>
            {zones.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
      )}
      <details className={styles.json}>
        <summary>Data as JSON</summary>
        <JsonInput label="Data as JSON" value={data} onChange={(next) => put(isObject(next) ? next : {})} />
      </details>
    </section>
  );
};
