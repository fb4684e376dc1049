import exhibits, { type Exhibit } from 'virtual:gallery';
import { withoutPictures } from '@stanza/block-view';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DrawnMessage } from '../../ui/drawn.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './gallery.module.css';
import { useNewTemplate } from './use-new-template.ts';

const matches = ({ source, slug }: Exhibit, words: string): boolean => {
  const text = `${source.name} ${source.description} ${slug}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const Card = ({ exhibit, busy, onUse }: { exhibit: Exhibit; busy: boolean; onUse: () => void }) => {
  const { source, blocks } = exhibit;
  const drawn = useMemo(() => withoutPictures(blocks), [blocks]);
  return (
    <li className={styles.card}>
      <div className={styles.drawing}>
        <DrawnMessage blocks={drawn} author={source.name} />
      </div>
      <div className={styles.words}>
        <h3>{source.name}</h3>
        <p>{source.description}</p>
        <Button busy={busy} onClick={onUse}>
          Use {source.name}
        </Button>
      </div>
    </li>
  );
};

/** Templates to begin with, each drawn with its data; a search finds them by words. */
export const Gallery = ({ onClose }: { onClose: () => void }) => {
  const [words, setWords] = useState('');
  const creating = useNewTemplate();
  const found = exhibits.filter((exhibit) => matches(exhibit, words.trim()));
  return (
    <Dialog title="Gallery" wide onClose={onClose}>
      <TextField
        label="Search"
        data-begins
        type="search"
        placeholder="deploy, invoice, poll …"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <Problem error={creating.error} />
      <p className="visually-hidden" role="status">
        {found.length} templates
      </p>
      {found.length === 0 && <Empty title="Nothing found">Search for another word, or begin blank.</Empty>}
      <ul className={styles.gallery} aria-label="Templates of the gallery">
        {found.map((exhibit) => (
          <Card
            key={exhibit.slug}
            exhibit={exhibit}
            busy={creating.isPending}
            onUse={() => creating.mutate({ body: { ...exhibit.source, sample_data: exhibit.data } })}
          />
        ))}
      </ul>
    </Dialog>
  );
};
