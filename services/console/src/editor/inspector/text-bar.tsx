import { useState } from 'react';
import { useMay } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { RecipientPicker } from '../send/recipient-picker.tsx';
import type { Recipient } from '../send/recipients.ts';
import { type Format, formatted, inserted, type Mark, type Marked } from './format.ts';
import styles from './inspector.module.css';

const buttons: readonly (readonly [mark: Mark, label: string, sign: string, keys?: string])[] = [
  ['bold', 'Bold', 'B', 'Control+B'],
  ['italic', 'Italic', 'I', 'Control+I'],
  ['strike', 'Struck out', 'S'],
  ['code', 'Code', '<>', 'Control+E'],
  ['link', 'Link', 'Link', 'Control+K'],
  ['list', 'List', '•'],
  ['quote', 'Quote', '“ ”'],
];

/** Emoji that messages of programs use the most, by their name at the platform. */
const emoji: readonly (readonly [name: string, sign: string])[] = [
  ['rocket', '🚀'],
  ['tada', '🎉'],
  ['white_check_mark', '✅'],
  ['x', '❌'],
  ['warning', '⚠️'],
  ['rotating_light', '🚨'],
  ['fire', '🔥'],
  ['bug', '🐛'],
  ['sparkles', '✨'],
  ['bell', '🔔'],
  ['hourglass', '⌛'],
  ['calendar', '📅'],
  ['memo', '📝'],
  ['package', '📦'],
  ['bulb', '💡'],
  ['eyes', '👀'],
  ['wave', '👋'],
  ['thumbsup', '👍'],
  ['pray', '🙏'],
  ['heart', '❤️'],
];

/** Formats of the marked part of a text, values of the data, emoji, and people and channels by name. */
export const TextBar = ({
  label,
  format,
  marked,
  onWrite,
  onValue,
}: {
  /** Of the text. */
  label: string;
  format: Format;
  /** The text with its marked part, as they are now. */
  marked: () => Marked;
  onWrite: (next: Marked) => void;
  /** Begins a placeholder. */
  onValue: () => void;
}) => {
  const mayFind = useMay('messages:create');
  const [place, mention] = useState<Marked>();
  const [typed, keepTyped] = useState<Recipient>();
  const insert = (recipient: Recipient | undefined): void => {
    const { recipient_chat_id, channel_id } = recipient?.destination ?? {};
    if (!place || (!recipient_chat_id && !channel_id)) return;
    onWrite(inserted(place, recipient_chat_id ? `<@${recipient_chat_id}>` : `<#${channel_id}>`));
    mention(undefined);
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={`Formats of ${label.toLowerCase()}`}>
      {buttons.map(([mark, name, sign, keys]) => (
        <button
          key={mark}
          type="button"
          aria-label={name}
          aria-keyshortcuts={keys}
          title={keys === undefined ? name : `${name} (${keys.replace('Control', 'Ctrl')})`}
          data-mark={mark}
          onClick={() => onWrite(formatted(marked(), mark, format))}
        >
          <span aria-hidden="true">{sign}</span>
        </button>
      ))}
      <select
        aria-label="Emoji"
        value=""
        onChange={({ target }) => onWrite(inserted(marked(), `:${target.value}:`))}
      >
        <option value="">Emoji</option>
        {emoji.map(([name, sign]) => (
          <option key={name} value={name}>
            {sign} {name.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      {mayFind && (
        <button
          type="button"
          aria-label="Mention a person or a channel"
          title="Mention"
          onClick={() => {
            keepTyped(undefined);
            mention(marked());
          }}
        >
          <span aria-hidden="true">@</span>
        </button>
      )}
      <button type="button" aria-label="Insert a value of the data" title="Insert a value" onClick={onValue}>
        <span aria-hidden="true">{'{{ }}'}</span>
      </button>
      {place && (
        <Dialog title="Mention" onClose={() => mention(undefined)}>
          <RecipientPicker
            label="Whom or what"
            chosen={undefined}
            onChoose={(recipient, isTyped) => (isTyped ? keepTyped(recipient) : insert(recipient))}
          />
          {typed && (
            <FormEnd>
              <Button
                look="primary"
                disabled={typed.destination.recipient_email != null}
                onClick={() => insert(typed)}
              >
                Insert
              </Button>
            </FormEnd>
          )}
        </Dialog>
      )}
    </div>
  );
};
