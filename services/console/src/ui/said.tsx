import { Button } from './button.tsx';
import styles from './said.module.css';

/** What a change did, above the page until it is put away; nothing moves for it. */
export const Said = ({ children, onHide }: { children: string; onHide: () => void }) => (
  <div className={styles.said}>
    <p role="status">{children}</p>
    <Button look="quiet" onClick={onHide}>
      Hide
    </Button>
  </div>
);
