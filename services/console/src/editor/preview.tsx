import '@stanza/block-view/styles/block-view.css';
import { type Block, drawBlocks, drawMessage, type Message } from '@stanza/block-view';
import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { appIcon } from '../ui/drawn.tsx';
import { Loading } from '../ui/states.tsx';
import { drawnBlocks, type Moving, useDrawnDragging } from './dragging/use-drawn-dragging.ts';
import styles from './editor.module.css';
import type { Output } from './evaluation/evaluate.ts';
import type { Shown } from './evaluation/use-evaluation.ts';

/** How a message is posted, besides its blocks. */
export interface Sender {
  readonly username?: string | undefined;
  readonly icon_emoji?: string | undefined;
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

const usable = 'a, button, input, select, textarea, summary, label';

/** The id of the drawn block at a place, where the place does nothing of its own. */
const blockAt = (place: EventTarget): string | undefined => {
  if (!(place instanceof Element) || place.closest(usable) !== null) return undefined;
  return place.closest<HTMLElement>('[data-block-id]')?.dataset.blockId;
};

/** Holds what is drawn; a press on a block of it leads to that block, and where that is allowed drags it. */
export const LeadingToBlocks = ({
  onBlock,
  moving,
  children,
}: {
  moving?: Moving | undefined;
  /** Is told the id of a block that is pressed. */
  onBlock: ((id: string) => void) | undefined;
  children: ReactNode;
}) => {
  const pressed = useRef<{ place: EventTarget; id: string | undefined }>(undefined);
  const surface = useRef<HTMLDivElement>(null);
  const dragging = useDrawnDragging(surface, moving);
  const onPointerDown = (event: PointerEvent): void => {
    const { target } = event;
    pressed.current = { place: target, id: blockAt(target) };
    dragging.onPointerDown(event);
  };
  // Where the message is drawn anew during a press, the browser sees no click.
  const onPointerUp = (): void => {
    const { place, id } = pressed.current ?? {};
    if (place instanceof Element && !place.isConnected && id !== undefined) onBlock?.(id);
  };
  const onClick = ({ target }: { target: EventTarget }): void => {
    // A text that is marked stays marked.
    if (window.getSelection()?.isCollapsed === false) return;
    const id = blockAt(target);
    if (id !== undefined) onBlock?.(id);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short way to a row of the outline, which has the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      ref={surface}
      className={styles.drawn}
      data-leads={onBlock !== undefined}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onClick={onClick}
    >
      {children}
      {dragging.line}
    </div>
  );
};

const newHandle = (): HTMLElement => {
  const handle = document.createElement('i');
  handle.dataset.handle = '';
  return handle;
};

/** A message drawn as on the chat platform. */
export const PreviewedMessage = ({
  output,
  sender = {},
  onBlock,
  moving,
}: {
  output: Pick<Output, 'blocks' | 'text'>;
  sender?: Sender;
  /** Is told the id of a block that is pressed. */
  onBlock?: ((id: string) => void) | undefined;
  /** Its blocks can be dragged. */
  moving?: Moving | undefined;
}) => {
  const canMove = moving !== undefined;
  const place = useRef<HTMLDivElement>(null);
  const { username, icon_emoji, locale, timeZone } = sender;
  const { blocks, text } = output;
  // An output that says the same is not drawn again: its texts stay marked, and its menus stay open.
  const drawn = useMemo(
    () => JSON.stringify({ blocks, text, username, icon_emoji }),
    [blocks, text, username, icon_emoji],
  );
  // Not an effect after the paint: what stands below would be drawn before the message, and move.
  useLayoutEffect(() => {
    const message: Message = JSON.parse(drawn);
    const context = { authorIcon: appIcon, ...(locale && { locale }), ...(timeZone && { timeZone }) };
    place.current?.replaceChildren(drawMessage(message, context, { label: 'Message' }));
    if (canMove) for (const box of drawnBlocks(place.current)) box.append(newHandle());
  }, [drawn, locale, timeZone, canMove]);
  return (
    <LeadingToBlocks onBlock={onBlock} moving={moving}>
      <div ref={place} />
    </LeadingToBlocks>
  );
};

/** A notification shows the text of a message without its bold and italics. */
const plainText = (text: string): string => {
  const section: Block = { type: 'section', text: { type: 'mrkdwn', text } };
  return drawBlocks([section]).textContent;
};

/** What the template makes of the data, by the engine of the server. */
export const Preview = ({
  shown,
  sender,
  draw,
  isBegun = false,
  onBlock,
  moving,
  language,
}: {
  shown: Shown;
  sender: Sender;
  /** Whether no more is wrong than that a block is being begun. */
  isBegun?: boolean;
  /** Draws what is no message. */
  draw?: ((output: Output, onBlock: (id: string) => void) => ReactNode) | undefined;
  /** Is told the id of a drawn block that is pressed. */
  onBlock: (id: string) => void;
  /** Blocks of a message can be dragged. */
  moving?: Moving | undefined;
  /** Chooses the language of the message. */
  language?: ReactNode;
}) => {
  const title = useId();
  const [showsOutput, setShowsOutput] = useState(false);
  const [last, keep] = useState<Output>();
  const drawn = draw ? 'Modal' : 'Message';
  const { evaluation, error } = shown;
  if (evaluation?.output !== undefined && evaluation.output !== last) keep(evaluation.output);
  const output = evaluation?.output ?? last;
  const isStale =
    output !== undefined &&
    (error !== undefined || (evaluation !== undefined && evaluation.output === undefined));
  return (
    <section className={styles.region} aria-labelledby={title} aria-busy={shown.isBehind}>
      <div className={styles.regionHead}>
        <h2 id={title}>Preview</h2>
        {language}
        <fieldset className={styles.switch} aria-label="Show">
          {[drawn, 'Output'].map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={showsOutput === (one === 'Output')}
              onClick={() => setShowsOutput(one === 'Output')}
            >
              {one}
            </button>
          ))}
        </fieldset>
      </div>
      {error && (
        <p className={styles.stopped} role="alert">
          {error.message}
        </p>
      )}
      {isStale && !error && (
        <p className={styles.note}>
          This is the {drawn.toLowerCase()} as it was before {isBegun ? 'this block' : 'the problems below'}.
        </p>
      )}
      {output === undefined && !error && evaluation === undefined && <Loading label="Loading the preview" />}
      {output === undefined && evaluation !== undefined && (
        <p className={styles.note}>
          The {drawn.toLowerCase()} appears here once{' '}
          {isBegun ? 'this block is written' : 'the problems below are solved'}.
        </p>
      )}
      {output !== undefined && !showsOutput && (
        <div data-stale={isStale}>
          {draw ? (
            draw(output, onBlock)
          ) : (
            <>
              <PreviewedMessage output={output} sender={sender} onBlock={onBlock} moving={moving} />
              <p className={styles.notification}>
                <span>Notification</span> <bdi>{output.text === '' ? '–' : plainText(output.text)}</bdi>
              </p>
            </>
          )}
        </div>
      )}
      {output !== undefined && showsOutput && (
        <textarea
          className={styles.output}
          aria-label="Output"
          readOnly
          rows={20}
          value={JSON.stringify(output, null, 2)}
        />
      )}
    </section>
  );
};
