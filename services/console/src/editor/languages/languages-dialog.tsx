import { readTranslationsCsv, translationsCsv } from '@stanza/engine';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Editing } from '../use-editing.ts';
import styles from './languages.module.css';
import { rowsBeside, tableOf, textsIn, withRows, withTexts } from './texts.ts';

/** Lets the browser save a text as a file. */
const save = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Says what is wrong with a table, or puts its texts onto the screen. */
const useImport = (templateKey: string, editing: Editing) => {
  const [outcome, setOutcome] = useState<{ problem: boolean; text: string }>();
  const { document } = editing.present;
  const take = async (file: File): Promise<void> => {
    const read = readTranslationsCsv(await file.text());
    if (!read.ok) {
      setOutcome({ problem: true, text: `${file.name}, line ${read.line}: ${read.message}` });
      return;
    }
    const rows = read.templates.get(templateKey);
    if (!rows) {
      setOutcome({ problem: true, text: `${file.name} has no texts of ${templateKey}.` });
      return;
    }
    editing.change({ ...document, blocks: withRows(document.blocks, rows) });
    setOutcome({
      problem: false,
      text: `The texts of ${file.name} are on the screen. Undo takes them back.`,
    });
  };
  return { outcome, take };
};

const Cell = ({
  name,
  language,
  value,
  isMissing,
  onChange,
}: {
  name: string;
  language: string;
  value: string;
  isMissing: boolean;
  onChange: (value: string) => void;
}) => (
  <td>
    <textarea
      className={styles.cell}
      aria-label={`${name} in ${language}`}
      data-missing={isMissing}
      lang={language}
      dir="auto"
      rows={1}
      placeholder={isMissing ? 'missing' : ''}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </td>
);

/** The texts of a template: keys by languages, with what each language lacks. */
export const LanguagesDialog = ({
  templateKey,
  editing,
  onClose,
}: {
  templateKey: string;
  editing: Editing;
  onClose: () => void;
}) => {
  const { document } = editing.present;
  const translations = textsIn(document.blocks);
  const { languages, rows } = tableOf(translations);
  const [before] = useState(rows);
  const [added, add] = useState('');
  const { outcome, take } = useImport(templateKey, editing);
  const picker = useRef<HTMLInputElement>(null);
  const has = (key: string, language: string): boolean =>
    rows.some((row) => row.key === key && row.texts.has(language));
  return (
    <Dialog wide title="Languages" onClose={onClose}>
      <div className={styles.bar}>
        <Button
          onClick={() =>
            save(`${templateKey}.csv`, translationsCsv([{ template: templateKey, translations }]))
          }
        >
          Export CSV
        </Button>
        <Button onClick={() => picker.current?.click()}>Import CSV…</Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,text/csv"
          aria-label="Table of texts"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void take(file);
            target.value = '';
          }}
        />
        <Form
          onSubmit={() => {
            const blocks = withTexts(document.blocks, { [added.trim()]: {}, ...translations });
            editing.change({ ...document, blocks });
            add('');
          }}
        >
          <TextField
            label="Another language"
            placeholder="pt-BR"
            required
            pattern="[A-Za-z]{2,3}(-[A-Za-z0-9]+)*"
            value={added}
            onChange={({ target }) => add(target.value)}
          />
          <Button type="submit">Add</Button>
        </Form>
      </div>
      {outcome && <p role={outcome.problem ? 'alert' : 'status'}>{outcome.text}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={styles.frame} aria-label="Texts" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Key</th>
              {languages.map(({ language, has: count, of }) => (
                <th key={language} scope="col">
                  {language}{' '}
                  <span className={styles.part} data-whole={count === of}>
                    {count} of {of}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowsBeside(before, rows).map(({ key, form, texts }) => (
              <tr key={`${key} ${form}`}>
                <th scope="row">
                  {key} {form !== '' && <span className={styles.form}>{form}</span>}
                </th>
                {languages.map(({ language }) => (
                  <Cell
                    key={language}
                    name={form === '' ? key : `${key} (${form})`}
                    language={language}
                    value={texts.get(language) ?? ''}
                    isMissing={!has(key, language)}
                    onChange={(value) => {
                      const row = { key, form, texts: new Map([[language, value]]) };
                      const blocks = withRows(document.blocks, [row]);
                      editing.change({ ...document, blocks }, `/languages/${language}/${key}/${form}`);
                    }}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <FormEnd>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </FormEnd>
    </Dialog>
  );
};
