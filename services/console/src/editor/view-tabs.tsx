import styles from './editor.module.css';

const tabs = ['Outline', 'JSON'] as const;

/** A view of the document. */
export type Tab = (typeof tabs)[number];

/** Chooses how the document is shown; the arrow keys go from one to the other. */
export const ViewTabs = ({ chosen, onChoose }: { chosen: Tab; onChoose: (tab: Tab) => void }) => (
  <div role="tablist" aria-label="View" className={styles.tabs}>
    {tabs.map((one) => (
      <button
        key={one}
        type="button"
        role="tab"
        id={`tab-${one}`}
        aria-selected={chosen === one}
        aria-controls={`panel-${one}`}
        tabIndex={chosen === one ? 0 : -1}
        onClick={() => onChoose(one)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
          onChoose(one === 'JSON' ? 'Outline' : 'JSON');
          const other = currentTarget.nextElementSibling ?? currentTarget.previousElementSibling;
          if (other instanceof HTMLElement) other.focus();
        }}
      >
        {one}
      </button>
    ))}
  </div>
);
