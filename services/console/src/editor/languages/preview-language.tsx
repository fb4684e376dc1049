import styles from './languages.module.css';
import { textsIn } from './texts.ts';

/** Chooses the language in which a message is tried; nothing for a template without texts in languages. */
export const PreviewLanguage = ({
  blocks,
  locale,
  onChange,
}: {
  blocks: readonly unknown[];
  /** Empty for the template's own. */
  locale: string;
  onChange: (locale: string) => void;
}) => {
  const languages = Object.keys(textsIn(blocks));
  if (languages.length === 0) return null;
  const others = locale === '' || languages.includes(locale) ? [] : [locale];
  return (
    <select
      className={styles.choice}
      aria-label="Language of the preview"
      value={locale}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">Own language</option>
      {[...languages, ...others].map((language) => (
        <option key={language} value={language}>
          {language}
        </option>
      ))}
    </select>
  );
};
