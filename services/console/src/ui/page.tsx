import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect } from 'react';
import styles from './page.module.css';

/** Where the documentation tells more of the screen; its head shows it. */
export const PageHelp = createContext<ReactNode>(null);

/** Names a page in the browser before its head does, which may never come: `part` is what of it is shown. */
export const useTitle = (title: string, part = ''): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part has another head.
  useLayoutEffect(() => {
    document.title = `${title} · Stanza`;
  }, [title, part]);
};

/** The head of a screen: what it is, in a sentence, and its actions. Names the page in the browser too. */
export const PageHead = ({
  title,
  above,
  children,
  actions,
}: {
  title: string;
  /** A way back, for a screen inside another one. */
  above?: ReactNode;
  /** What the screen is for, for one who has not read the documentation. */
  children?: ReactNode;
  actions?: ReactNode;
}) => {
  const help = useContext(PageHelp);
  useEffect(() => {
    document.title = `${title} · Stanza`;
  }, [title]);
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        {above && <div className={styles.above}>{above}</div>}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {children && <p className={styles.lead}>{children}</p>}
        {help && <p className={styles.help}>{help}</p>}
      </div>
      {actions && (
        <div className={styles.actions} data-actions>
          {actions}
        </div>
      )}
    </div>
  );
};

/** A titled part of a screen. */
export const Section = ({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) => (
  <section className={styles.section} aria-label={title}>
    <div className={styles.sectionHead}>
      <div>
        <h2>{title}</h2>
        {about && <p className={styles.about}>{about}</p>}
      </div>
      {actions && (
        <div className={styles.actions} data-actions="section">
          {actions}
        </div>
      )}
    </div>
    {children}
  </section>
);

/** A surface that holds what belongs together. */
export const Card = ({ children }: { children: ReactNode }) => <div className={styles.card}>{children}</div>;

/** Filters above a list. */
export const Toolbar = ({ label, children }: { label: string; children: ReactNode }) => (
  <search className={styles.toolbar} aria-label={label}>
    {children}
  </search>
);
