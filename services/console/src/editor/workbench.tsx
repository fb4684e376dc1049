import type { InputField } from '@stanza/engine';
import { useQuery } from '@tanstack/react-query';
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { HelpLink } from '../shell/help-link.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { DataRegion } from './data/data-region.tsx';
import { textOf } from './document/document.ts';
import { textOfEdition } from './document/history.ts';
import { paletteOf } from './document/palette.ts';
import { valueAt } from './document/pointer.ts';
import { rowAround, rowOfDrawn, rowsOf } from './document/rows.ts';
import styles from './editor.module.css';
import { schemaOfWorker } from './evaluation/engine.ts';
import type { Evaluated } from './evaluation/evaluate.ts';
import type { Finding } from './evaluation/findings.ts';
import { useEvaluation } from './evaluation/use-evaluation.ts';
import { useNamedThings } from './evaluation/use-named-things.ts';
import { useShownFindings } from './evaluation/use-shown-findings.ts';
import { isTyping, writeAtEnd } from './focus.ts';
import { BlockInspector } from './inspector/inspector.tsx';
import { placeholdersAt } from './inspector/placeholders.ts';
import { SurroundingsContext } from './inspector/surroundings.ts';
import { JsonView } from './json-view.tsx';
import { PreviewLanguage } from './languages/preview-language.tsx';
import { type Changed, placeForNew } from './outline/changes.ts';
import { Outline } from './outline/outline.tsx';
import { Preview, type Sender } from './preview.tsx';
import { Problems, ProblemsBar } from './problems.tsx';
import type { Editing } from './use-editing.ts';
import type { Steps } from './use-history.ts';
import { useMoving } from './use-moving.ts';
import { type Tab, ViewTabs } from './view-tabs.tsx';

/** What is run besides the blocks: the data, and how numbers and dates are written. */
export const useGiven = ({ present: { document }, trial }: Editing): Omit<Evaluated, 'blocks'> => {
  const fallbackText = textOf(document, 'fallback_text');
  const own = textOf(document, 'locale');
  const locale = trial.locale || own;
  // Without a locale the own language of a template is English.
  const ownLocale = trial.locale === '' ? '' : own || 'en';
  const timezone = trial.timezone || textOf(document, 'timezone');
  const strict = document.strict === true;
  const { data } = trial;
  return useMemo(
    () => ({
      data,
      strict,
      ...(fallbackText !== '' && { fallbackText }),
      ...(locale !== '' && { locale }),
      ...(ownLocale !== '' && { ownLocale }),
      ...(timezone !== '' && { timezone }),
    }),
    [data, strict, fallbackText, locale, ownLocale, timezone],
  );
};

const noFindings: readonly Finding[] = [];
const noFields: readonly InputField[] = [];

/** What is edited, and the data it is tried with. */
export type Workpiece = Steps & Pick<Editing, 'trial' | 'setTrial'>;

/** The document in its views beside the preview, the data and the problems. */
export const Workbench = ({
  templateId,
  editing,
  given,
  sender = {},
  settings,
  draw,
}: {
  /** Whose saved data are offered. */
  templateId?: string;
  editing: Workpiece;
  given: Omit<Evaluated, 'blocks'>;
  sender?: Sender;
  /** The form of what the document says of itself. */
  settings: ReactNode;
  /** Draws what is no message. */
  draw?: ComponentProps<typeof Preview>['draw'];
}) => {
  const { present, trial, setTrial, put, change, mend } = editing;
  const { document } = present;
  const { surface } = given;
  const [tab, setTab] = useState<Tab>('Outline');
  const [selected, select] = useState<string | undefined>(
    document.blocks.length > 0 ? '/blocks/0' : undefined,
  );
  const [paletteAt, openPalette] = useState<string>();
  const [target, jump] = useState<{ pointer: string }>();
  const [wantsFocus, wantFocus] = useState<'fields' | 'row' | 'moved' | undefined>('row');
  const left = useRef<HTMLDivElement>(null);
  const schema = useQuery({
    queryKey: ['block-schema'],
    queryFn: schemaOfWorker,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entries = useMemo(() => (schema.data ? paletteOf(schema.data, surface) : []), [schema.data, surface]);

  const { blocks } = document;
  const input = useMemo(() => ({ ...given, blocks }), [given, blocks]);
  const shown = useEvaluation(input);
  const isKnown = shown.evaluation !== undefined || shown.error !== undefined;
  const findings = useNamedThings(blocks, shown.evaluation?.findings ?? noFindings);
  const [fields, keepFields] = useState(shown.evaluation?.fields);
  if (shown.evaluation?.fields !== undefined && shown.evaluation.fields !== fields)
    keepFields(shown.evaluation.fields);

  const rows = useMemo(() => rowsOf(blocks), [blocks]);
  // Undo may take the chosen block away.
  const chosen = selected !== undefined && valueAt(document, selected) !== undefined ? selected : undefined;
  const { move, said } = useMoving(document, change, select);
  const {
    findings: shownFindings,
    marks,
    watch,
  } = useShownFindings(findings, document, rows, tab === 'Outline' ? chosen : undefined);

  useEffect(() => {
    if (wantsFocus === undefined || schema.data === undefined || tab !== 'Outline') return;
    const row = left.current?.querySelector<HTMLElement>('[aria-current="true"]');
    // What people came to write is a text, where there is one; of a button its type stands before it.
    const texts = left.current?.querySelectorAll<HTMLElement>('[data-fields] :is(input, textarea)') ?? [];
    const field =
      [...texts].find((it) => it.checkVisibility() && !it.matches('[type="checkbox"], [role="toolbar"] *')) ??
      left.current?.querySelector<HTMLElement>('[data-fields] select:not([role="toolbar"] *)');
    // A block without fields takes the focus itself.
    const found = wantsFocus === 'fields' ? (field ?? row) : row;
    if (!found) return;
    // What was moved in the preview stays in sight there.
    found.focus({ preventScroll: wantsFocus === 'moved' });
    if (found === field) writeAtEnd(found);
    wantFocus(undefined);
  });

  const go = (pointer: string): void => {
    if (tab === 'JSON') {
      jump({ pointer });
      return;
    }
    const row = rowAround(rows, pointer);
    if (row === undefined) return;
    select(row.pointer);
    wantFocus('row');
  };
  /** Leads from a drawn block to its text. */
  const edit = (blockId: string): void => {
    const row = rowOfDrawn(rows, blockId);
    if (row === undefined) return;
    go(row.pointer);
    if (tab === 'Outline') wantFocus('fields');
  };
  const moveDrawn = (changed: Changed): void => {
    move(changed);
    if (tab === 'Outline') wantFocus('moved');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 'z' && !(event.target instanceof HTMLElement && event.target.shadowRoot)) {
      event.preventDefault();
      if (event.shiftKey) editing.redo();
      else editing.undo();
      return;
    }
    if (isCommand && key === 'y') {
      event.preventDefault();
      editing.redo();
      return;
    }
    if (
      event.key === 'Escape' &&
      event.target instanceof HTMLElement &&
      event.target.closest('[data-fields]')
    ) {
      wantFocus('row');
      return;
    }
    if (event.key !== '/' || isCommand || tab !== 'Outline' || isTyping(event.target)) return;
    event.preventDefault();
    openPalette(placeForNew(document, chosen));
  };
  const choose = (next: Tab): void => {
    editing.settle();
    setTab(next);
    jump(undefined);
  };
  const known = fields ?? noFields;
  const places = useMemo(
    () => ({
      choose: (pointer: string) => {
        select(pointer);
        wantFocus('fields');
      },
      placeholders: (pointer: string) => placeholdersAt(document, pointer, known, trial.data),
    }),
    [document, known, trial.data],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of everything inside
    <div className={styles.bench} data-wide onKeyDown={onKeyDown}>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div ref={left} className={styles.left}>
        <ViewTabs chosen={tab} onChoose={choose} />
        <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className={styles.panel}>
          {schema.isError && <Failure error={schema.error} onRetry={() => void schema.refetch()} />}
          {tab === 'Outline' && schema.isPending && <Loading label="Loading the editor" />}
          {tab === 'Outline' && schema.data && (
            <>
              {present.textProblem !== undefined && (
                <p className={styles.stopped}>
                  The JSON is not valid yet. The outline shows its last valid state; a change here replaces
                  the text.
                </p>
              )}
              <Outline
                document={document}
                entries={entries}
                schema={schema.data}
                selected={chosen}
                marks={marks}
                onSelect={select}
                onChange={(next) => change(next)}
                onMove={move}
                onEdit={() => wantFocus('fields')}
                paletteAt={paletteAt}
                onPalette={openPalette}
              />
              {chosen !== undefined && (
                <SurroundingsContext value={places}>
                  <div data-fields {...watch}>
                    <BlockInspector
                      key={chosen}
                      document={document}
                      pointer={chosen}
                      schema={schema.data}
                      onChange={put}
                    />
                  </div>
                </SurroundingsContext>
              )}
              {settings}
              {surface !== 'view' && (
                <p className={styles.help}>
                  <HelpLink on="editor" />
                </p>
              )}
            </>
          )}
          {tab === 'JSON' && (
            <JsonView
              text={textOfEdition(present)}
              problem={present.textProblem}
              findings={findings}
              target={target}
              onType={editing.type}
              onUndo={editing.undo}
              onRedo={editing.redo}
            />
          )}
        </div>
      </div>
      <div className={styles.middle}>
        <Preview
          shown={shown}
          sender={sender}
          draw={draw}
          isBegun={shownFindings.length === 0}
          onBlock={edit}
          moving={present.textProblem === undefined ? { document, onMove: moveDrawn } : undefined}
          language={
            <PreviewLanguage
              blocks={blocks}
              locale={trial.locale}
              onChange={(locale) => setTrial({ ...trial, locale })}
            />
          }
        />
        {isKnown && <Problems findings={shownFindings} rows={rows} onGo={go} onMend={mend} />}
      </div>
      <div className={styles.right}>
        {/* It stands below the others on a narrow page, which are there first, so that they do not move it. */}
        {isKnown && !schema.isPending && (
          <DataRegion isTried templateId={templateId} fields={fields} trial={trial} onChange={setTrial} />
        )}
      </div>
      <ProblemsBar findings={shownFindings} onGo={go} />
    </div>
  );
};
