import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  ensureSyntaxTree,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { stepsOf } from './document/pointer.ts';
import styles from './editor.module.css';
import type { Finding } from './evaluation/findings.ts';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-strong)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--notice)' },
]);

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', minHeight: '420px', maxHeight: '70vh' },
  '.cm-gutters': { backgroundColor: 'var(--surface-soft)', color: 'var(--ink-faint)', border: '0' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 50%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
  },
});

interface Range {
  from: number;
  to: number;
}

/** Where the value at a pointer stands in the text; the nearest value around it where it is not there. */
const rangeOf = (state: EditorState, pointer: string): Range => {
  const tree = ensureSyntaxTree(state, state.doc.length, 1_000);
  let node = tree?.topNode.firstChild;
  for (const step of stepsOf(pointer)) {
    if (!node) break;
    if (node.name === 'Array') {
      const items = node
        .getChildren('Object')
        .concat(
          ...['Array', 'String', 'Number', 'True', 'False', 'Null'].map(
            (name) => node?.getChildren(name) ?? [],
          ),
        );
      const item = items.sort((one, other) => one.from - other.from)[Number(step)];
      if (!item) break;
      node = item;
    } else {
      const property = node.getChildren('Property').find((one) => {
        const name = one.getChild('PropertyName');
        return name !== null && state.sliceDoc(name.from, name.to) === JSON.stringify(step);
      });
      if (!property?.lastChild) break;
      node = property.lastChild;
    }
  }
  return node ? { from: node.from, to: node.to } : { from: 0, to: 0 };
};

const diagnosticsOf = (
  state: EditorState,
  problem: string | undefined,
  findings: readonly Finding[],
): Diagnostic[] => {
  if (problem === undefined) {
    return findings.map(({ pointer, kind, message }) => ({
      ...rangeOf(state, pointer),
      severity: kind === 'problem' ? 'error' : 'warning',
      message,
    }));
  }
  const at = Math.min(Number(/position (\d+)/.exec(problem)?.[1] ?? state.doc.length), state.doc.length);
  return [{ from: Math.max(0, at - 1), to: at, severity: 'error', message: problem }];
};

/** The document as JSON. Its styles live in a shadow root, where they need no inline style. */
export const JsonView = ({
  text,
  problem,
  findings,
  target,
  onType,
  onUndo,
  onRedo,
}: {
  text: string;
  problem: string | undefined;
  findings: readonly Finding[];
  /** The place to show and to give the focus; a new object for every jump. */
  target: { pointer: string } | undefined;
  onType: (text: string) => void;
  onUndo: () => void;
  onRedo: () => void;
}) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const actions = useRef({ onType, onUndo, onRedo });
  actions.current = { onType, onUndo, onRedo };
  const start = useRef(text);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const run = (name: 'onUndo' | 'onRedo') => () => {
      actions.current[name]();
      return true;
    };
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          json(),
          syntaxHighlighting(colours),
          theme,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Template as JSON', tabindex: '0' }),
          // Tab moves on, as everywhere on the page.
          keymap.of([
            { key: 'Mod-z', run: run('onUndo') },
            { key: 'Mod-y', run: run('onRedo') },
            { key: 'Mod-Shift-z', run: run('onRedo') },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...foldKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) actions.current.onType(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, problem, findings)));
  }, [problem, findings]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || target === undefined) return;
    const { from, to } = rangeOf(editor.state, target.pointer);
    editor.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    editor.focus();
  }, [target]);

  return (
    <div className={styles.json}>
      {problem !== undefined && (
        <p className={styles.stopped} role="alert">
          {problem.replace(/\.?$/, '.')} The text is kept; the outline and the preview show the last valid
          state.
        </p>
      )}
      <div ref={host} className={styles.code} />
    </div>
  );
};
